/** The sentences of docs/serve.md, "Lines with numbers and sources", that a service is checked against. */
export const rules = {
  answered: 'no value of branchlog-after or branchlog-pods makes a request fail',
  'data-form': 'data is a list of texts, and podNamesList a list, as the interface says',
  'field-form': 'the logs operation adds the field branchlog, an object, to every answer',
  'series-form': 'series is text of 1 to 128 characters, which fits into the header branchlog-after',
  'series-stable': 'lines of a branch are numbered in one series while the service runs',
  'first-form': 'first is a whole number, not below zero',
  'first-line': 'first is the number of the first line of data',
  'first-empty': 'without lines, first is the number that the next line will get',
  'numbers-form': 'numbers is a list of runs [first, count] of whole numbers',
  'numbers-sum': 'the runs of numbers add up to the lines of data',
  'numbers-once': 'no two lines of an answer have one number',
  'numbers-step': 'the number of a line is higher by one than that of the line before it',
  'numbers-reused': 'a number is never given to another line of the same series',
  'runs-form': 'runs is a list of runs [source, count] of whole numbers',
  'runs-sum': 'the counts of runs add up to the lines of data',
  'runs-source': 'each run refers to one of sources, from 0',
  'sources-form': 'sources is a list of objects; pod, container and stream are texts',
  'sources-kept': 'a line keeps its pod, container and stream',
  'losses-form':
    'losses is a list of objects with number and why; after and before are RFC 3339 times, lines counts from 1',
  'losses-source': 'a loss refers to one of sources, from 0, or leaves source out',
  'losses-why': 'why is a sentence without a full stop',
  'losses-number': 'a loss is ahead of a line, or of the one that comes next',
  'losses-after': 'with branchlog-after come the losses whose number is higher, all of them',
  'after-behind': 'with branchlog-after come only lines after that number',
  'after-order': 'with branchlog-after the lines come in order of arrival',
  'after-missing': 'with branchlog-after come all lines of the window after that number',
  'after-whole': 'with another series, or a number higher than any given, the whole window comes',
  'plain-same': 'without the headers everything comes, as the interface says',
  'pods-form': 'pods is text of at most 128 characters, which fits into branchlog-pods',
  'pods-left-out': 'podNamesList is left out only if branchlog-pods is the tag that the answer has, too',
  'pods-changed': 'pods is a tag that changes whenever podNamesList does',
  'pods-kept': 'pods is a tag that changes only when podNamesList does',
} as const;

export type RuleName = keyof typeof rules;

/** Returns what a rule is about: the beginning of its name. */
export const subjectOf = (rule: RuleName): string =>
  rule === 'answered' ? 'request' : rule === 'field-form' ? 'branchlog' : (rule.split('-')[0] ?? rule);

/** How an answer differs from a rule. Both texts are made of ours and of short foreign ones. */
export type Deviation = {
  readonly rule: RuleName;
  /** The request. */
  readonly asked: string;
  /** What the answer has instead. */
  readonly came: string;
};
