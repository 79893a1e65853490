import type {Tone} from './tones.ts';

/** What the user had highlighted: the n-th pattern has the n-th. There are as many as patterns can be highlighted together. */
export const highlightTones = [
  'highlight1',
  'highlight2',
  'highlight3',
  'highlight4',
  'highlight5',
  'highlight6',
] as const satisfies readonly Tone[];

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
] as const satisfies readonly Tone[];

export type BranchTone = (typeof branchTones)[number];

/**
 * A piece of a row. Its text has passed the sanitiser. `link` is where a click leads in terminals that can: an https address of
 * printable ASCII, at most 2,000 characters; any other is left out.
 */
export type Span = {readonly text: string; readonly tone: Tone; readonly link?: string};

/** A row of the screen, ready to be drawn. */
export type ViewRow = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({text, tone});
