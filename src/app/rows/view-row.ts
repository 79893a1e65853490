import type {Tone} from './tones.ts';

/** The user's highlights, one tone per pattern: as many as patterns can be highlighted at a time. */
export const highlightTones = [
  'highlight1',
  'highlight2',
  'highlight3',
  'highlight4',
  'highlight5',
  'highlight6',
] as const satisfies readonly Tone[];

/** Tones to tell the branches of one log apart: as many as branches can be opened together. */
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
 * A piece of a row. Its text is sanitised. `link` is where a click leads in terminals that support it: an https
 * address of printable ASCII, at most 2,000 characters; any other is left out. `isLit`: its row is highlighted.
 */
export type Span = {readonly text: string; readonly tone: Tone; readonly link?: string; readonly isLit?: boolean};

/** A row of the screen, ready to draw. */
export type ViewRow = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({text, tone});

/** Highlights a row across its width. */
export const lightRow = (row: ViewRow): ViewRow => row.map(part => ({...part, isLit: true}));
