/** Returns the id of a site that has this many branches and no logs. */
export const siteOf = (branchCount: number): string => `site-of-${branchCount}`;

/** Returns the number of branches of such a site from a request's path; undefined for any other site. */
export const branchCountOf = (path: string): number | undefined => {
  const count = /\/sites\/site-of-(\d+)\/branches$/.exec(path)?.[1];
  return count === undefined ? undefined : Number(count);
};
