import type {BranchFacts, Facts} from '#app/state/facts.ts';

/** File names have at most 255 bytes: two parts of this length leave room for the time and the suffixes. */
const partCharsMax = 60;

/**
 * Returns the default path for lines or an incident note: in the current folder, with a name that every file system
 * accepts.
 */
export const defaultPath = ({site, branches, savedAtMs}: Facts, what: 'lines' | 'incident'): string => {
  const place = [makeSafe(site.name ?? site.id), nameBranches(branches), stampOf(savedAtMs)].join('-');
  return what === 'lines' ? `./${place}.log` : `./incident-${place}.md`;
};

const nameBranches = (branches: readonly BranchFacts[]): string => {
  const name = makeSafe(branches[0]?.name ?? '');
  return branches.length > 1 ? `${name}-and-${branches.length - 1}-more` : name;
};

const makeSafe = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .slice(0, partCharsMax)
    .replace(/^[-.]+|[-.]+$/g, '') || 'unnamed';

/** `20261121T140211Z` */
const stampOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
