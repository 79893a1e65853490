import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {readHelp} from '#app/help/read-help.ts';
import {takesText} from '#app/keys/input-focus.ts';
import {bindingsOn, type Command, installKeymap, type KeyBinding, keymap, type ScreenName} from '#app/keys/keymap.ts';
import {give, onBranches, type Play, sampleState, showScreen, startAt, type, windowOf} from '../../support/play.ts';

/** Each command on a key that no default has: one letter from the Han block, which stands in no text of ours. */
const commands = [...new Set(keymap.map(({command}) => command))];
const newKey = (command: Command): string => String.fromCodePoint(0x4e00 + commands.indexOf(command));
const rebound: readonly KeyBinding[] = keymap.map(binding => ({...binding, keys: [newKey(binding.command)]}));

beforeAll(() => installKeymap(rebound));
afterAll(() => installKeymap(keymap));

const oldKeys = [...new Set(keymap.flatMap(({keys}) => keys))];

/** Words and signs by themselves too: these count only before a verb. */
const ambiguous = new Set(['a', '.', ',', '-', '|', '+', '0', '1', '2', '3', '4']);

/** The old keys that a text names: those that stand alone in it. `15 s` and `2 h` are times. */
const namedIn = (text: string): readonly string[] => {
  const untimed = text.replaceAll(/\d+ [a-z]\b/g, '');
  const words = [...untimed.split(/[\s,;:()“”]+/), ...untimed.split(/[\s,;()]+/)];
  const said = [...untimed.matchAll(/(?:^|[:;,] )(\S) [a-z]+s\b/g)].map(([, key]) => key);
  return oldKeys.filter(key => (ambiguous.has(key) ? said : words).includes(key));
};

test('an old key is found in a text', () => {
  expect(namedIn('there are no marks: M sets one')).toEqual(['M']);
  expect(namedIn('marked; \' and " go to the next and the previous mark')).toEqual(["'", '"']);
  expect(namedIn('no search yet: / starts one')).toEqual(['/']);
  expect(namedIn('too many lines: s saves them')).toEqual(['s']);
  expect(namedIn('into the record; Esc comes back, Enter shows it')).toEqual(['Esc', 'Enter']);
  expect(namedIn("since then 3 lines; a goes there, the branch's log for 15 s")).toEqual(['a']);
  expect(namedIn('mark a line with a note')).toEqual([]);
});

const screens: readonly ScreenName[] = ['sites', 'branches', 'log'];

test('with every command on another key no help text names an old one', () => {
  const texts = screens.flatMap(screen => [...bindingsOn(screen).map(({help}) => help), ...readHelp(screen)]);
  // What stands in the help as something to be typed.
  const typed = ['search for text, or re: and a regular expression'];
  expect(texts.filter(text => !typed.includes(text)).flatMap(text => namedIn(text).map(key => [key, text]))).toEqual(
    [],
  );
  expect(bindingsOn('branches').find(({command}) => command === 'enterDetails')?.help).toBe(
    `go into the record's fields; ${newKey('back')} returns`,
  );
});

const openBranches = (): Play => {
  const play = onBranches();
  return play;
};

const openLog = (): Play => {
  const play = openBranches();
  give(play, 'open');
  play.windowArrives(windowOf(1, 2, 3));
  return play;
};

/** Ways to states that have hints or keys of their own. */
const ways: Readonly<Record<string, () => Play>> = {
  sites: () => startAt(sampleState()),
  'no sites': () => startAt(sampleState({sites: []})),
  branches: openBranches,
  log: openLog,
  'an empty log': () => {
    const play = openBranches();
    give(play, 'open');
    play.windowArrives(windowOf());
    return play;
  },
  ...Object.fromEntries(
    (['toggleHelp', 'toggleSummary', 'toggleInspector', 'pickLines', 'toggleFolds'] as const).map(command => [
      command,
      () => {
        const play = openLog();
        give(play, command);
        return play;
      },
    ]),
  ),
  'a line opened': () => {
    const play = openLog();
    give(play, 'openLine', 'openLine');
    return play;
  },
  'a search': () => {
    const play = openLog();
    type(play, 'openSearch', 'line');
    return play;
  },
  'a mark': () => {
    const play = openLog();
    give(play, 'markLine');
    play.send({kind: 'inputKey', key: 'Enter'});
    return play;
  },
  'a save': () => {
    const play = openLog();
    give(play, 'saveLines');
    play.send({kind: 'inputKey', key: 'Enter'});
    return play;
  },
  'the record': () => {
    const play = openBranches();
    give(play, 'enterDetails');
    return play;
  },
};

/** What the screen says beside lines and lists: the notice, the state row, the hints, and all of it where help is open. */
const textsOf = ({state}: Play): readonly string[] => {
  const rows = showScreen(state);
  return [
    ...(state.focus.kind === 'help' ? rows : rows.slice(-2)),
    ...(state.notice === undefined ? [] : [state.notice]),
  ];
};

test.each(Object.keys(ways))(
  'with every command on another key no notice or hint of any command names an old one: %s',
  way => {
    const open = ways[way] ?? expect.fail('no way');
    // What is done with a state leaves it as it is.
    const opened = open();
    const openedTexts = textsOf(opened);
    const found = commands.flatMap(command => {
      const play = startAt(opened.state);
      const texts = [...openedTexts];
      give(play, command);
      // An input line has keys of its own, which no config file changes.
      if (takesText(play.state)) {
        return [];
      }
      texts.push(...textsOf(play));
      for (const effect of play.effects) {
        texts.push(effect.kind === 'copy' ? (effect.advice ?? '') : '');
      }
      return texts.flatMap(text => namedIn(text).map(key => [command, key, text]));
    });
    expect(found).toEqual([]);
  },
);

test('a notice names the key that the config file gives', () => {
  const play = openLog();
  give(play, 'nextMark');
  expect(play.state.notice).toBe(`there are no marks: ${newKey('markLine')} sets one`);
  give(play, 'nextHit');
  expect(play.state.notice).toBe(`no search yet: ${newKey('openSearch')} starts one`);
});

/**
 * These keys are in no table: those of input lines, Enter after a pipe while the screens are suspended, and the answers
 * of `init`, which has no screens.
 */
const fixedKeyTexts = [
  'app/reader/reader.ts',
  'cli/screens/export/create-exporter.ts',
  'cli/commands/doctor/init/answers.ts',
  'cli/commands/doctor/init/ask-context.ts',
];

/** A sentence says what a key does: the key, and a verb in the third person. */
const keyAndVerb =
  /(?:(?:['"`]|[a-z][;:,] )[b-zA-Z/'"[\]{}]|\b(?:Esc|Escape|Enter|Tab|Space)|[a-z;:] [↑↓←→]) (?:goes|go|saves|asks|marks|cancels|shows|opens|takes|closes|quits|picks|sets|comes|clears|copies|reads|leaves|does|first)\b|(?:[Pp]ress|with) (?:slash|Escape|Enter|Space|[b-zA-Z/]) /;

test('no text in the source writes a key of the table out', () => {
  const folder = join(import.meta.dirname, '../../../src');
  const files = ['app', 'ui', 'cli'].flatMap(name =>
    readdirSync(join(folder, name), {recursive: true, encoding: 'utf8'}).map(file => join(name, file)),
  );
  const found = files
    .filter(file => /\.tsx?$/.test(file) && !fixedKeyTexts.includes(file))
    .flatMap(file =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter(row => !/^\s*(?:\/?\*|\/\/)/.test(row) && keyAndVerb.test(row))
        // The filter's own input line.
        .filter(row => !row.includes("prompt: 'Filter: "))
        .map(row => `${file}: ${row.trim()}`),
    );
  expect(found).toEqual([]);
});
