const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const partsOf = (atMs: number) => {
  const iso = new Date(atMs).toISOString();
  return {
    year: iso.slice(0, 4),
    month: months[Number(iso.slice(5, 7)) - 1] ?? '',
    day: iso.slice(8, 10),
    clock: iso.slice(11, 19),
  };
};

/** Formats a moment as in a web server's access log: `21/Nov/2026:14:11:58 +0000`. */
export const formatAccessTime = (atMs: number): string => {
  const {year, month, day, clock} = partsOf(atMs);
  return `${day}/${month}/${year}:${clock} +0000`;
};

/** Formats a moment as in a web server's error log: `2026/11/21 14:11:58`. */
export const formatErrorTime = (atMs: number): string => {
  const iso = new Date(atMs).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 19)}`;
};

/** Formats a moment as PHP-FPM does: `21-Nov-2026 14:11:58`. */
export const formatFpmTime = (atMs: number): string => {
  const {year, month, day, clock} = partsOf(atMs);
  return `${day}-${month}-${year} ${clock}`;
};
