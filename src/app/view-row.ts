/** What a piece of text means; the theme decides what it looks like. */
export type Tone = 'plain' | 'dim' | 'strong' | 'accent' | 'good' | 'busy' | 'bad' | 'bar';

/** A piece of a row. Its text has passed the sanitiser. */
export type Span = {readonly text: string; readonly tone: Tone};

/** A row of the screen, ready to be drawn. */
export type ViewRow = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({text, tone});
