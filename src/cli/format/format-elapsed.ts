/** Formats a duration: `12 s`, `3 min 20 s`, `2 h 5 min`, `3 days 4 h`. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) {
    return `${seconds} s`;
  }
  if (hours === 0) {
    return `${minutes} min ${seconds % 60} s`;
  }
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
};
