import type {TimeSpan} from '#log/incident/verdict.ts';
import {countOf} from '#log/words/format-count.ts';
import {formatSecond, type TimelineRow} from './timeline.ts';

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** What begins a tag or an entity, ends a cell, or begins code; and what makes a link or a mention of plain words. */
const meant = /[&<>|`\\@#*_[\]~!]|:(?=\/\/)|(?<=www)\./giu;
const emphasis = '*_[]~!';

/** Returns a text as the cell of a table in Markdown: it is shown as it is, and changes nothing around it. */
export const markdownCell = (text: string): string =>
  text
    .replace(controls, ' ')
    .replace(meant, character => (emphasis.includes(character) ? `\\${character}` : `&#${character.charCodeAt(0)};`))
    .trim();

export type TimelineHeading = TimeSpan & {
  /** As it was named. */
  readonly title: string;
  /** By whose clock the times are, and how far that is from another. */
  readonly clock: string;
  /** Of each branch, on what its rows rest. */
  readonly bases: readonly {readonly branch: string; readonly basis: string}[];
  readonly leftOut: number;
};

/** Formats a timeline for a post-mortem. */
export const timelineMarkdown = (
  {title, from, to, clock, bases, leftOut}: TimelineHeading,
  rows: readonly TimelineRow[],
): string => {
  const codeOf = (link: string): string =>
    // Whatever may end a piece of code, or a cell, is shown as plain words.
    /[`|\\]|[^ -~]/.test(link) ? markdownCell(link) : `\`${link}\``;
  const timeOf = ({at, until}: TimelineRow): string =>
    until === undefined || until === at ? formatSecond(at) : `${formatSecond(at)} to ${formatSecond(until)}`;
  const cells = rows.map(row => [
    timeOf(row),
    markdownCell(row.branch ?? 'all'),
    `**${row.what}** ${markdownCell(row.text)}`,
    markdownCell(row.basis),
    row.link === undefined ? '' : codeOf(row.link),
  ]);
  const table = [['time', 'branch', 'what', 'basis', 'opens there'], Array<string>(5).fill('---'), ...cells];
  return [
    `# Timeline of ${markdownCell(title)}`,
    '',
    `${formatSecond(from)} to ${formatSecond(to)}. ${clock}`,
    '',
    ...bases.map(({branch, basis}) => `- ${markdownCell(branch)}: ${markdownCell(basis)}`),
    '',
    ...(leftOut > 0 ? [`${countOf(leftOut, 'older row')} left out: ask of less time.`, ''] : []),
    ...(rows.length === 0 ? ['Nothing is known to have happened in this time.'] : table.map(toRow)),
    '',
  ].join('\n');
};

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
