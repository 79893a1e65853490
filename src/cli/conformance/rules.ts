/** The sentences of docs/serve.md, "Lines with numbers and sources", that a service is checked against. */
export const rules = {
  answered: {subject: 'request', says: 'no value of branchlog-after or branchlog-pods makes a request fail'},
  'data-form': {subject: 'data', says: 'data is a list of texts, and podNamesList a list, as the interface says'},
  'field-form': {subject: 'branchlog', says: 'the logs operation adds the field branchlog, an object, to every answer'},
  'series-form': {
    subject: 'series',
    says: 'series is text of 1 to 128 characters, which fits into the header branchlog-after',
  },
  'series-stable': {subject: 'series', says: 'lines of a branch are numbered in one series while the service runs'},
  'first-form': {subject: 'first', says: 'first is a whole number, not below zero'},
  'first-line': {subject: 'first', says: 'first is the number of the first line of data'},
  'first-empty': {subject: 'first', says: 'without lines, first is the number that the next line will get'},
  'numbers-form': {subject: 'numbers', says: 'numbers is a list of runs [first, count] of whole numbers'},
  'numbers-sum': {subject: 'numbers', says: 'the runs of numbers add up to the lines of data'},
  'numbers-once': {subject: 'numbers', says: 'no two lines of an answer have one number'},
  'numbers-step': {subject: 'numbers', says: 'the number of a line is higher by one than that of the line before it'},
  'numbers-reused': {subject: 'numbers', says: 'a number is never given to another line of the same series'},
  'runs-form': {subject: 'runs', says: 'runs is a list of runs [source, count] of whole numbers'},
  'runs-sum': {subject: 'runs', says: 'the counts of runs add up to the lines of data'},
  'runs-source': {subject: 'runs', says: 'each run refers to one of sources, from 0'},
  'sources-form': {subject: 'sources', says: 'sources is a list of objects; pod, container and stream are texts'},
  'sources-kept': {subject: 'sources', says: 'a line keeps its pod, container and stream'},
  'losses-form': {
    subject: 'losses',
    says: 'losses is a list of objects with number and why; after and before are RFC 3339 times, lines counts from 1',
  },
  'losses-source': {subject: 'losses', says: 'a loss refers to one of sources, from 0, or leaves source out'},
  'losses-why': {subject: 'losses', says: 'why is a sentence without a full stop'},
  'losses-number': {subject: 'losses', says: 'a loss is ahead of a line, or of the one that comes next'},
  'losses-after': {subject: 'losses', says: 'with branchlog-after come the losses whose number is higher, all of them'},
  'after-behind': {subject: 'after', says: 'with branchlog-after come only lines after that number'},
  'after-order': {subject: 'after', says: 'with branchlog-after the lines come in order of arrival'},
  'after-missing': {subject: 'after', says: 'with branchlog-after come all lines of the window after that number'},
  'after-whole': {
    subject: 'after',
    says: 'with another series, or a number higher than any given, the whole window comes',
  },
  'plain-same': {subject: 'plain', says: 'without the headers everything comes, as the interface says'},
  'pods-form': {subject: 'pods', says: 'pods is text of at most 128 characters, which fits into branchlog-pods'},
  'pods-left-out': {
    subject: 'pods',
    says: 'podNamesList is left out only if branchlog-pods is the tag that the answer has, too',
  },
  'pods-changed': {subject: 'pods', says: 'pods is a tag that changes whenever podNamesList does'},
  'pods-kept': {subject: 'pods', says: 'pods is a tag that changes only when podNamesList does'},
} as const;

export type RuleName = keyof typeof rules;

/** How an answer differs from a rule. Both texts are made of ours and of short foreign ones. */
export type Deviation = {
  readonly rule: RuleName;
  /** The request. */
  readonly asked: string;
  /** What the answer has instead. */
  readonly came: string;
};
