import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeNumbering} from '#api/client/decode-numbering.ts';
import {createFieldProblems} from '#api/client/field-reader.ts';
import {createKnownPods, parseWindowHeader} from '#api/client/log-headers-read.ts';
import {maskRecord} from '#api/client/mask-record.ts';
import {parseTokenText} from '#api/client/token.ts';
import {createJoinedWindow} from '#api/recording/replay-client.ts';
import {createTally} from '#app/export/manifest.ts';
import {openPrompt, type PromptHistory, remember, typeText} from '#app/keys/prompt.ts';
import {flattenFields} from '#app/record/record-fields.ts';
import {followSeenPods} from '#app/tail/branch-changes.ts';
import {addPoll, noPolls, type Polls} from '#app/tail/polls.ts';
import {isSecretName} from '#base/secret.ts';
import {parseArguments} from '#cli/arguments/args.ts';
import {compilePattern, readLogsOptions} from '#cli/arguments/logs-options.ts';
import {formatTable} from '#cli/io/format.ts';
import {createScreenWarnings} from '#cli/open/cluster-remarks.ts';
import {findClosestWord} from '#config/settings/closest-word.ts';
import {readConfigFile} from '#config/settings/config-file.ts';
import {parseToml, readToml} from '#config/settings/table-reader.ts';
import {fuzzyMatch} from '#log/fuzzy.ts';
import {internSources} from '#log/ingest/numbered.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {parsePattern} from '#log/pattern/parse-pattern.ts';
import {findValues} from '#log/reading/find-values.ts';
import {isSameTime} from '#log/reading/layout-context.ts';
import {readMessageFields, readRecord} from '#log/reading/read-record.ts';
import {Reading} from '#log/reading/reading.ts';
import {formatJsonPretty} from '#log/text/format-pretty.ts';
import {findRecordStart} from '#log/text/json-record.ts';
import {sanitise, sanitiseStyled} from '#log/text/sanitise.ts';
import {parseDurationMs} from '#log/tokens/time-words.ts';
import {foldPath} from '#log/traits/fold-path.ts';
import {FrequentTable} from '#log/traits/frequent-table.ts';
import {createStyleTable} from '#terminal/screen/cells/cell-style.ts';
import {linkPattern} from '#terminal/screen/escapes.ts';
import {formatFault} from '#terminal/screen/lifecycle.ts';
import {formatClipboardWrite, formatNotification, wrapForMultiplexer} from '#terminal/screen/passthrough.ts';
import {createTempFolder} from './support/temp-folder.ts';

const recordOf = (text: string) => readRecord(text, 0, text.length);
const fieldOf = (text: string) => recordOf(text)?.fields[0];
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const pairs = (count: number): string => Array.from({length: count}, (_, index) => `k${index}=1`).join(' ');
const kitty = {TERM: 'xterm-kitty'};
const megabyte = 1024 * 1024;

const exampleOf = (length: number): number | undefined => {
  const table = new FrequentTable();
  table.add('key', 'text', 'x'.repeat(length), 0n);
  return table.top(1)[0]?.example.length;
};

const sourceCountOf = (count: number): number | undefined => {
  const table = new FrequentTable();
  for (let source = 0; source < count; source += 1) {
    table.add('key', `field ${source}`, 'x', 0n);
  }
  return table.top(1)[0]?.sources.length;
};

/** Whether the first of so many looks is still there. */
const keepsLook = (count: number): boolean => {
  const {plain, withLink} = createStyleTable({colours: 16, hasItalics: false, hasLinks: true});
  const looks = Array.from({length: count - 1}, (_, index) => withLink(plain, `https://x/${index}`));
  return withLink(plain, 'https://x/0') === looks[0];
};

const noon = '2026-11-21T12:00:00Z';
const isAbout = (laterMs: number): boolean => isSameTime(noon, instantFromMs(Date.parse(noon) + laterMs));

/** The longest run of `x` in a text. */
const lengthOf = (text: string | undefined): number =>
  Math.max(0, ...(text?.match(/x+/g) ?? []).map(run => run.length));

const numberingOf = (field: object) =>
  decodeNumbering({series: 'a', first: 1, ...field}, 0, createFieldProblems())?.numbering;

const lossesOf = (count: number) => Array.from({length: count}, (_, index) => ({number: index + 1, why: 'lost'}));
const sourcesOf = (count: number) => Array.from({length: count}, (_, index) => ({pod: `web-${index}`}));

/** How many losses of so many are remembered while a recording is replayed. */
const joinedLossesOf = (count: number): number | undefined => {
  const joined = createJoinedWindow();
  const numbering = {series: 'a', first: 1, runs: [], sources: [], losses: lossesOf(count)};
  joined.add({lines: [], numbering}, undefined);
  return joined.window()?.numbering.losses.length;
};

const notesOf = (count: number): string | undefined => {
  const problems = createFieldProblems();
  for (let index = 0; index < count; index += 1) {
    problems.addNote('note');
  }
  return problems.list().at(-1);
};

const noteOf = (length: number): string | undefined => {
  const problems = createFieldProblems();
  problems.addNote('x'.repeat(length));
  return problems.list()[0]?.slice(299);
};

/** Whether the pods of the first of so many branches are still known. */
const keepsPods = (count: number): boolean => {
  const pods = createKnownPods();
  pods.of('0').tag = 'known';
  for (let index = 1; index < count; index += 1) {
    pods.of(`${index}`);
  }
  return pods.of('0').tag === 'known';
};

/** Whether the first of so many warnings is said again at the end. */
const keepsWarning = (count: number): boolean => {
  const warnings = createScreenWarnings();
  for (let index = 0; index < count; index += 1) {
    warnings.warn(`warning ${index}`);
  }
  const said: string[] = [];
  warnings.repeat(sentence => said.push(sentence));
  return said[0] === 'warning 0';
};

const seenPodsOf = (count: number): number => {
  const pods = Array.from({length: count}, (_, index) => ({
    name: `web-${index}`,
    resourceVersion: '1',
    metadata: {},
    createdAt: undefined,
  }));
  const running = followSeenPods([], pods, {nowMs: 1, isFirst: true});
  return followSeenPods(running, [], {nowMs: 2, isFirst: false}).length;
};

const listedOf = (field: string, items: readonly unknown[]) =>
  decodeBranches([{_id: 'b', name: 'b', status: null, [field]: items}]).value[0];

const optionsOf = (...flags: readonly string[]): unknown => {
  try {
    return readLogsOptions(parseArguments(['logs', 'shop', 'web', ...flags]), () => undefined).context.before;
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
};

const failureOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown';
  }
};

/** How many markers of so many are listed with a saved log, and how many are only counted. */
const talliedOf = (count: number): readonly number[] => {
  const tally = createTally();
  tally.take(
    Array.from({length: count}, (_, id) => ({source: 0, entry: {kind: 'horizon', id, at: 0n, why: 'start'} as const})),
  );
  const {markers, markersLeftOut} = tally.result();
  return [markers.length, markersLeftOut];
};

/** What is noted of a record that is nested so deeply. */
const depthNotesOf = (depth: number): readonly string[] => {
  const problems = createFieldProblems();
  maskRecord(JSON.parse(nested(depth)), '', problems);
  return problems.list().map(note => note.replace(/^.*: /, ''));
};

const pollsOf = (count: number): Polls => {
  let polls = noPolls;
  for (let index = 0; index < count; index += 1) {
    const failed = {kind: 'failed', errorKind: 'network', status: undefined} as const;
    polls = addPoll(polls, {...failed, atMs: index, nextPollInMs: 1, reason: 'late'});
  }
  return polls;
};

const historyOf = (count: number): string | undefined =>
  Array.from({length: count}, (_, index) => typeText(openPrompt('search'), `word ${index}`))
    .reduce<PromptHistory>(remember, {})
    .search?.includes('word 0')
    ? 'remembered'
    : undefined;

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['text before a JSON record', size => findRecordStart(`${' '.repeat(size - 2)}{"a":1}`), 512, 510, -1],
  ['text of a JSON record', size => recordOf(`{"a":"${'x'.repeat(size - 8)}"}`) !== undefined, 65_536, true, false],
  ['depth of a JSON record', size => fieldOf(nested(size))?.value.text, 16, '1', '{"a":1}'],
  ['name in a JSON record', size => lengthOf(fieldOf(`{"${'x'.repeat(size)}":1}`)?.key.text), 99, 99, 99],
  ['fields of logfmt', size => readMessageFields(pairs(size), 0)?.fields.length, 100, 100, undefined],
  ['path of a request', size => foldPath('x'.repeat(size)).length, 256, 256, 256],
  ['example of a shape', exampleOf, 400, 400, 400],
  ['sources of a value', sourceCountOf, 10, 10, 10],
  ['message of a fault', size => lengthOf(formatFault(new Error('x'.repeat(size)))), 300, 300, 300],
  [
    'address of a link',
    size => linkPattern.test(`\u001b]8;;https://${'x'.repeat(size - 8)}\u001b\\`),
    2000,
    true,
    false,
  ],
  ['looks of a terminal', keepsLook, 2048, true, false],
  ['time of a line behind the one in its text', isAbout, 1999, true, false],
  ['time of a line before the one in its text', size => isAbout(-size), 999, true, false],
  [
    'text for kitty',
    size => formatClipboardWrite(Buffer.alloc(size), kitty).kind,
    8 * megabyte,
    'sequence',
    'tooLarge',
  ],
  ['depth of a branch record', depthNotesOf, 40, [], ['nested deeper than 40, cut']],
  ['markers of a saved log', talliedOf, 10_000, [10_000, 0], [10_000, 1]],
  ['notes on an answer', notesOf, 100, 'note', 'and 1 more'],
  ['text of a note on an answer', noteOf, 300, 'x', 'x…'],
  ['branches whose pods are known', keepsPods, 64, true, false],
  ['id of a series', size => numberingOf({series: 'x'.repeat(size)})?.series.length, 128, 128, undefined],
  [
    'name of a source',
    size => numberingOf({sources: [{pod: 'x'.repeat(size)}]})?.sources[0]?.pod?.length,
    512,
    512,
    undefined,
  ],
  ['sources of an answer', size => numberingOf({sources: sourcesOf(size)})?.sources.length, 20_000, 20_000, 0],
  ['losses of an answer', size => numberingOf({losses: lossesOf(size)})?.losses.length, 10_000, 10_000, 0],
  [
    'reason for a loss',
    size => numberingOf({losses: [{number: 1, why: 'x'.repeat(size)}]})?.losses[0]?.why.length,
    500,
    500,
    500,
  ],
  [
    'sources of a log',
    size =>
      internSources(new Map(), {series: 'a', first: 1, runs: [], losses: [], sources: sourcesOf(size)}).sources.size,
    20_000,
    20_000,
    20_000,
  ],
  ['losses of a recorded log', joinedLossesOf, 10_000, 10_000, 10_000],
  [
    'workloads of a branch',
    size =>
      listedOf(
        'workloads',
        Array.from({length: size}, (_, index) => `pod/${index}`),
      )?.workloads.length,
    100,
    100,
    100,
  ],
  [
    'sources in the header of a window',
    size => parseWindowHeader(`source; sources=${size}`)?.sources,
    100,
    100,
    undefined,
  ],
  ['header of a window', size => parseWindowHeader(`pod${' '.repeat(size - 3)}`)?.cut, 256, 'pod', undefined],
  ['token', size => failureOf(() => parseTokenText(Buffer.alloc(size, 'x'), 'it')), 12_288, undefined, 'ApiError'],
  ['pods that went', seenPodsOf, 100, 100, 100],
  ['polls that are listed', size => pollsOf(size).latest[0]?.atMs, 50, 0, 1],
  ['text of an input line', size => typeText(openPrompt('search'), 'x'.repeat(size)).text.length, 500, 500, 500],
  ['entries of an input line that are remembered', historyOf, 50, 'remembered', undefined],
  ['fields of a record', size => flattenFields(Array.from({length: size}, () => 1)).length, 2000, 2000, 2000],
  ['name of a field that may be a secret', size => isSecretName(`${'x'.repeat(size - 9)} password`), 200, true, false],
  [
    'word that is corrected',
    size => findClosestWord(`${'x'.repeat(size - 1)}y`, ['x'.repeat(size)])?.length,
    64,
    64,
    undefined,
  ],
  ['duration', size => parseDurationMs(`${size}ms`), 126_144_000_000, 126_144_000_000, undefined],
  ['warnings that are said again', keepsWarning, 100, true, false],
  ['cell of a table', size => lengthOf(formatTable(['name'], [[{text: 'x'.repeat(size)}]], undefined)), 120, 120, 119],
  [
    'pattern of a flag',
    size => failureOf(() => compilePattern('grep', 'x'.repeat(size))),
    10_000,
    undefined,
    'UsageError',
  ],
  ['matches of a flag in one line', size => compilePattern('grep', 'x').spans('x'.repeat(size)).length, 200, 200, 200],
  ['lines around a match', size => optionsOf('--grep', 'x', '--before', `${size}`), 10_000, 10_000, 'UsageError'],
  ['lines of --tail', size => optionsOf('--tail', `${size}`), 100_000_000, 0, 'UsageError'],
  ['text of a pattern', size => 'error' in parsePattern('x'.repeat(size)), 1000, false, true],
  [
    'letters of a fuzzy search',
    size => fuzzyMatch('x'.repeat(size), 'x'.repeat(100))?.positions.length,
    64,
    64,
    undefined,
  ],
  ['text of a fuzzy search', size => fuzzyMatch('y', `${'x'.repeat(size - 1)}y`) !== undefined, 512, true, false],
  [
    'record that is unfolded',
    size => formatJsonPretty(`{"a":"${'x'.repeat(size - 8)}"}`) !== undefined,
    262_144,
    true,
    false,
  ],
  [
    'rows of an unfolded record',
    size => formatJsonPretty(`{"a":[${Array(size - 4).fill(1)}]}`)?.at(-1),
    2000,
    '}',
    '… 1 more rows',
  ],
  [
    'values of a line that can be copied',
    size => findValues(new Reading(Array.from({length: size}, (_, index) => `10.0.0.${index}`).join(' '))).length,
    40,
    40,
    40,
  ],
  ['text of a line that is shown', size => sanitise('x'.repeat(size)).endsWith('…'), 16_384, false, true],
  ['marks on a letter', size => sanitise(`a${'\u0301'.repeat(size)}`).match(/\u0301/g)?.length, 4, 4, 4],
  [
    'styles of a line',
    size => sanitiseStyled(Array.from({length: size}, (_, index) => `\u001b[3${index % 8}mx`).join('')).spans.length,
    1000,
    1000,
    1000,
  ],
  [
    'text of a notification',
    size => lengthOf(formatNotification('x'.repeat(size - 11), {bell: false, osc9: true}, kitty)),
    200,
    189,
    186,
  ],
  [
    'pieces for GNU screen',
    size => wrapForMultiplexer('x'.repeat(size), 'screen').split('\u001bP').length - 1,
    250,
    1,
    2,
  ],
])('%s', (_, read, at, within, beyond) => {
  expect([read(at), read(at + 1)]).toEqual([within, beyond]);
});

test('names of nested records, joined, are cut at 200 cells', () => {
  const name = 'x'.repeat(90);
  const text = fieldOf(`{"${name}":{"${name}":{"${name}":1}}}`)?.key.text ?? '';
  expect(text.length).toBeLessThanOrEqual(200);
  expect(text.length).toBeGreaterThan(190);
});

test('a value of a record is cut at 4,096 cells', () => {
  const text = fieldOf(`{"a":"${'x'.repeat(5000)}"}`)?.value.text ?? '';
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text.length).toBeGreaterThan(4000);
});

test('TOML that is nested too deeply is refused', () => {
  const listOf = (depth: number): string => `a = ${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(parseToml(listOf(30), 'x.toml')).toHaveProperty('a');
  expect(() => parseToml(listOf(50), 'x.toml')).toThrow(/^x\.toml, line 1, /);
});

test('a config file of more than 1 MB, and settings out of their range, are refused', async () => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, 'home'));
  const path = join(folder.path, 'config.toml');
  const write = (text: string): string => {
    writeFileSync(path, text, {mode: 0o600});
    return path;
  };
  await expect(readToml(write('#'.repeat(megabyte)))).resolves.toMatchObject({table: {}});
  await expect(readToml(write('#'.repeat(megabyte + 1)))).rejects.toThrow('config.toml');
  const settings = (text: string) => readConfigFile(write(text), undefined);
  await expect(settings('[log]\ninterval = "1h"\n')).resolves.toBeDefined();
  await expect(settings('[log]\ninterval = "3601s"\n')).rejects.toThrow('from 100ms to 1h');
  const keys = (count: number): string => JSON.stringify(Array.from({length: count}, (_, index) => `F${index}`));
  await expect(settings(`[keys]\nquit = ${keys(16)}\n`)).resolves.toBeDefined();
  await expect(settings(`[keys]\nquit = ${keys(17)}\n`)).rejects.toThrow('an array of up to 16');
  const pattern = (length: number): string => `[notify]\npattern = "${'x'.repeat(length)}"\n`;
  await expect(settings(pattern(500))).resolves.toBeDefined();
  await expect(settings(pattern(501))).rejects.toThrow('at most 500 characters');
  await expect(settings('[notify]\nquiet = "24h"\n')).resolves.toBeDefined();
  await expect(settings('[notify]\nquiet = "86401s"\n')).rejects.toThrow('from 1s to 24h');
});
