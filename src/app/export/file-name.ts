import type {BranchFacts, Facts} from '../state/facts.ts';

/**
 * A name of a file has 255 bytes at the most; with the folder, the time and what is put behind it there is room for
 * this.
 */
const partCharsMax = 60;

/**
 * Where lines or a note are saved unless the user says otherwise: in the folder that branchlog runs in, with a name
 * that every file system takes.
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
