import type {ScreenCell} from '../test/support/emulator.ts';

// Every text has an explicit width, so the picture does not depend on which monospace font is installed.
const cellWidth = 8.4;
const rowHeight = 18;
const fontSize = 14;
const padding = 16;
const titleHeight = 36;

export type Background = 'dark' | 'light';

type Colours = {
  readonly background: string;
  readonly foreground: string;
  readonly frame: string;
  readonly title: string;
  /** The sixteen colours of the terminal. */
  readonly palette: readonly string[];
};

const schemes: Readonly<Record<Background, Colours>> = {
  dark: {
    background: '#14171c',
    foreground: '#d3d7de',
    frame: '#3a404b',
    title: '#7d8694',
    palette: [
      '#2a2f38',
      '#f2777a',
      '#8fce6a',
      '#f0c65f',
      '#6ea8fe',
      '#c792ea',
      '#5fc9d8',
      '#d3d7de',
      '#7d8694',
      '#ff9c9e',
      '#aee48d',
      '#ffdc86',
      '#9cc4ff',
      '#ddb3f5',
      '#8be3ef',
      '#ffffff',
    ],
  },
  light: {
    background: '#ffffff',
    foreground: '#24292f',
    frame: '#d0d7de',
    title: '#57606a',
    palette: [
      '#24292f',
      '#b3261e',
      '#1a6e2e',
      '#8a5a00',
      '#0a56c2',
      '#7b3fb0',
      '#0f6a75',
      '#57606a',
      '#6e7781',
      '#c4372f',
      '#21803a',
      '#9a6700',
      '#1f6feb',
      '#8f4fc7',
      '#167b87',
      '#ffffff',
    ],
  },
};

/** Colours 16 to 255 as xterm mixes them: a cube of six steps a side, then greys. */
const paletteColour = (index: number, palette: readonly string[]): string => {
  const named = palette[index];
  if (named !== undefined) {
    return named;
  }
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  const grey = 8 + (index - 232) * 10;
  const channels =
    index >= 232
      ? [grey, grey, grey]
      : [steps[Math.floor(cube / 36)], steps[Math.floor(cube / 6) % 6], steps[cube % 6]];
  return `#${channels.map(channel => (channel ?? 0).toString(16).padStart(2, '0')).join('')}`;
};

const toHex = (colour: number | string, {palette}: Colours): string =>
  typeof colour === 'number' ? paletteColour(colour, palette) : colour;

const mix = (over: string, under: string, share: number): string =>
  `#${[1, 3, 5]
    .map(start => {
      const [a, b] = [over, under].map(colour => Number.parseInt(colour.slice(start, start + 2), 16));
      return Math.round((a ?? 0) * share + (b ?? 0) * (1 - share))
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;

type Look = {readonly fill: string; readonly behind: string | undefined; readonly attributes: string};

const lookOf = (cell: ScreenCell, colours: Colours): Look => {
  const {background, foreground} = colours;
  const back = cell.background === undefined ? undefined : toHex(cell.background, colours);
  const bright = cell.foreground === undefined ? foreground : toHex(cell.foreground, colours);
  // Blended here, because not every viewer draws half-transparent text well.
  const front = cell.dim ? mix(bright, back ?? background, 0.6) : bright;
  const attributes = [
    cell.bold ? ' font-weight="bold"' : '',
    cell.italic ? ' font-style="italic"' : '',
    cell.underline ? ' text-decoration="underline"' : '',
  ].join('');
  return cell.inverse ? {fill: back ?? background, behind: front, attributes} : {fill: front, behind: back, attributes};
};

type Run = Look & {readonly columnIndex: number; readonly columns: number; readonly text: string};

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/**
 * Adjacent cells of the same style form one text. Non-ASCII characters stay separate, so that no font can push their
 * neighbours aside.
 */
const findRuns = (cells: readonly ScreenCell[], colours: Colours): Run[] => {
  const runs: Run[] = [];
  cells.forEach((cell, columnIndex) => {
    if (cell.columns === 0) {
      return;
    }
    const look = lookOf(cell, colours);
    const last = runs.at(-1);
    if (
      last &&
      last.columnIndex + last.columns === columnIndex &&
      last.fill === look.fill &&
      last.behind === look.behind &&
      last.attributes === look.attributes &&
      isAscii(last.text) &&
      isAscii(cell.text)
    ) {
      runs[runs.length - 1] = {...last, columns: last.columns + cell.columns, text: last.text + cell.text};
    } else {
      runs.push({...look, columnIndex, columns: cell.columns, text: cell.text});
    }
  });
  return runs;
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const short = (value: number): string => String(Math.round(value * 100) / 100);

const drawRow = (cells: readonly ScreenCell[], rowIndex: number, colours: Colours): string => {
  const top = titleHeight + rowIndex * rowHeight;
  return findRuns(cells, colours)
    .map(({text, fill, behind, attributes, columnIndex, columns}) => {
      const left = short(padding + columnIndex * cellWidth);
      const width = short(columns * cellWidth);
      const box =
        behind === undefined
          ? ''
          : `<rect x="${left}" y="${top}" width="${width}" height="${rowHeight}" fill="${behind}"/>`;
      // Lower blocks, one to eight eighths of a cell: drawn as shapes, since fonts differ most in these.
      const eighths = text.length === 1 ? text.charCodeAt(0) - 0x2580 : 0;
      if (eighths >= 1 && eighths <= 8) {
        const height = (rowHeight * eighths) / 8;
        return `${box}<rect x="${left}" y="${short(top + rowHeight - height)}" width="${width}" height="${short(height)}" fill="${fill}"/>`;
      }
      // Spaces at the ends are dropped; the text's explicit length keeps the rest in its columns.
      const visible = text.trim();
      const start = text.length - text.trimStart().length;
      if (visible === '') {
        return box;
      }
      const textColumns = isAscii(text) ? visible.length : columns;
      const x = short(padding + (columnIndex + start) * cellWidth);
      const colour = fill === colours.foreground ? '' : ` fill="${fill}"`;
      return `${box}<text x="${x}" y="${top + 13}" textLength="${short(textColumns * cellWidth)}"${colour}${attributes}>${escapeXml(visible)}</text>`;
    })
    .filter(part => part !== '')
    .join('\n');
};

/** Renders a screen as an SVG picture with a window frame: monospace text, every piece at its column. */
export const drawScreenSvg = (rows: readonly (readonly ScreenCell[])[], title: string, behind: Background): string => {
  const colours = schemes[behind];
  const columns = rows[0]?.length ?? 0;
  const width = Math.ceil(columns * cellWidth + 2 * padding);
  const height = titleHeight + rows.length * rowHeight + padding;
  const buttons = ['#f2777a', '#f0c65f', '#8fce6a']
    .map((colour, index) => `<circle cx="${padding + 6 + index * 20}" cy="18" r="6" fill="${colour}"/>`)
    .join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="${width}" height="${height}" rx="10" fill="${colours.background}" stroke="${colours.frame}"/>`,
    buttons,
    `<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="${fontSize}" fill="${colours.foreground}" stroke="none" xml:space="preserve">`,
    `<text x="${width / 2}" y="23" text-anchor="middle" fill="${colours.title}">${escapeXml(title)}</text>`,
    ...rows.map((cells, rowIndex) => drawRow(cells, rowIndex, colours)).filter(row => row !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};
