import {createSideTable, once} from '../buffer/side-table.ts';
import {type LineEntry, textOf} from '../line/entry.ts';
import {sanitise} from '../text/sanitise.ts';
import {type FoundForm, findForm, type Head, placeParts, readHead} from './formats/find-form.ts';
import {findLeadingLevel} from './leading-level.ts';
import {findLevel, levelOf} from './level.ts';
import {scanText, type TextParts} from './scan-text.ts';
import type {Piece, PlacedParts} from './tokens/form.ts';
import type {Level} from './tokens/level-words.ts';

/** What a text mentions further in is visible only after much scrolling; levels are not searched for there either. */
const scannedCharsMax = 4096;

/**
 * What a line says, read part by part when it is asked for, and each part once. The text must be free of SGR:
 * sanitised, or as received without colours. Places are code units of it.
 */
export class Reading {
  readonly text: string;
  #level: Level | undefined;
  #head: Head | undefined;
  #form: FoundForm | 'none' | undefined;
  #parts: PlacedParts | undefined;
  #mentions: TextParts | undefined;

  /** Pass the level if it is known. */
  constructor(text: string, level?: Level) {
    this.text = text;
    this.#level = level;
  }

  get level(): Level {
    this.#level ??= levelOf(this.text);
    return this.#level;
  }

  /** It is a JSON record and nothing else. */
  get isRecord(): boolean {
    return this.text.startsWith('{');
  }

  /** The time with which the line begins, if one stands there. */
  get head(): Head {
    this.#head ??= readHead(this.text);
    return this.#head;
  }

  /** The form that the line has; undefined for a record, and for a line of no known form. */
  get form(): FoundForm | undefined {
    this.#form ??= (this.isRecord ? undefined : findForm(this.text, this.level, this.head)) ?? 'none';
    return this.#form === 'none' ? undefined : this.#form;
  }

  /** The parts that the form has, and the time before it. */
  get parts(): PlacedParts {
    this.#parts ??= {
      ...(this.head.time && {time: this.head.time}),
      ...(this.form && placeParts(this.form, this.text)),
    };
    return this.#parts;
  }

  /** What the text mentions in passing. */
  get mentions(): TextParts {
    this.#mentions ??= scanText(this.text.slice(0, scannedCharsMax));
    return this.#mentions;
  }

  /**
   * The word that states the level. A word in the line's head takes priority over a syslog priority, a field or an
   * exception's name.
   */
  get levelWord(): Piece | undefined {
    if (this.parts.level !== undefined || this.level === 'none') {
      return this.parts.level;
    }
    const {text} = this;
    const said = findLevel(text);
    const leading = said === undefined || text.startsWith('PHP ', said.start) ? undefined : findLeadingLevel(text);
    const place = leading?.level === said?.level ? leading : said;
    return place === undefined || place.end === 0 ? undefined : place;
  }
}

/** Returns the reading of a line's safe text, which is kept as long as the line. */
export const readingOf: (line: LineEntry) => Reading = once(
  createSideTable(),
  line => new Reading(sanitise(textOf(line)), levelOf(textOf(line))),
);
