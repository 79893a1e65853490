/** What a piece of text means; the theme decides what it looks like. */
export type Tone = 'plain' | 'dim' | 'strong' | 'accent' | 'good' | 'busy' | 'bad' | 'bar' | BranchTone;

/** Tells branches of one log apart: the n-th has the n-th. There are as many as branches can be opened together. */
export const branchTones = [
  'branch1',
  'branch2',
  'branch3',
  'branch4',
  'branch5',
  'branch6',
  'branch7',
  'branch8',
] as const;

export type BranchTone = (typeof branchTones)[number];

/** A piece of a row. Its text has passed the sanitiser. */
export type Span = {readonly text: string; readonly tone: Tone};

/** A row of the screen, ready to be drawn. */
export type ViewRow = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({text, tone});
