import {globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {lineSources} from '#cli/line-sources.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {createLineBackend} from '#service/served/line-backend.ts';
import type {LineSourceKind} from '#service/served/line-source.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {createTempFolder} from '../support/temp-folder.ts';

/** A source that has the lines its settings name: everything that a new kind needs. */
const textSource: LineSourceKind = {
  key: 'text',
  gives: 'a text',
  otherKeys: ['repeat'],
  read: pod => {
    const line = pod.text('text') ?? '';
    let left = pod.integer('repeat', 1, 10) ?? 1;
    return {
      kind: 'text',
      format: 'plain',
      open: ({podKey, sink}) => ({
        start: async () => undefined,
        turn: async () => {
          sink.take({podKey, stamps: emptyStreamStamps, held: {}}, left > 0 ? [line] : []);
          left -= 1;
          return left > 0;
        },
        close: async () => undefined,
      }),
    };
  },
};

const createConfig = (pods: string) => {
  const folder = createTempFolder('source');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'serve.toml');
  const branch = 'tenant = "t"\n[[sites]]\nid = "s"\n[[sites.branches]]\nid = "b"\nname = "b"\nstatus = "UP"\n';
  writeFileSync(path, `${branch}${pods}`);
  writeFileSync(join(folder.path, 'web.log'), 'from a file\n');
  return path;
};

test('a new kind of source is one object, served beside the others under the same window and stamps', async () => {
  const path = createConfig(`[[sites.branches.pods]]
name = "new"
text = "from nowhere"
repeat = 2
[[sites.branches.pods]]
name = "web"
files = ["web.log"]
`);
  const backend = createLineBackend({
    ...(await readServeSettings(path, [...lineSources, textSource])),
    now: () => instantFromMs(Date.UTC(2025, 0, 1)),
    monotonicMs: () => performance.now(),
    warn: message => expect.fail(message),
    pollIntervalMs: 1,
  });
  onTestFinished(() => backend.close());
  await backend.start();
  await backend.readWindow('s', 'b');
  expect(await backend.readWindow('s', 'b')).toMatchObject({
    lines: [
      '2025-01-01T00:00:00.000000000Z from nowhere',
      '2025-01-01T00:00:00.000000001Z from a file',
      '2025-01-01T00:00:00.000000002Z from nowhere',
    ],
    pods: [{name: 'new', metadata: {annotations: {'branchlog/source': 'text'}}}, {name: 'web'}],
    arrivals: {last: 3, dropped: 0},
  });
});

test.each([
  ['txet = "x"', 'txet: no such setting: did you mean text?'],
  ['text = "x"\nfiles = ["x"]', 'text: a pod has files or text, not both: give each a pod of its own'],
  ['files = ["x"]\nrepeat = 2', 'repeat: belongs to text, but this pod has files: leave it out'],
  ['text = "x"\nrepeat = 20', 'repeat: expected a whole number from 1 to 10, got 20'],
])('its keys are checked as all others: %j', async (keys, words) => {
  const path = createConfig(`[[sites.branches.pods]]\nname = "new"\n${keys}`);
  const read = () => readServeSettings(path, [...lineSources, textSource]);
  await expect(read()).rejects.toThrow(ConfigError);
  await expect(read()).rejects.toThrow(`sites[0].branches[0].pods[0].${words}`);
});

test('each kind of line source that src/service exports can be configured, and is described', async () => {
  const modules = await Promise.all(
    globSync('src/service/**/*.ts')
      .filter(path => readFileSync(path, 'utf8').includes(': LineSourceKind = '))
      .map(path => import(join(process.cwd(), path)) as Promise<object>),
  );
  const isKind = (value: unknown): value is LineSourceKind =>
    typeof value === 'object' && value !== null && 'gives' in value && 'otherKeys' in value;
  const kinds = modules.flatMap(module => Object.values(module).filter(isKind));
  expect(new Set(lineSources)).toEqual(new Set(kinds));
  const document = readFileSync('docs/serve.md', 'utf8');
  const keys = kinds.flatMap(({key, otherKeys}) => [key, ...otherKeys]);
  expect(keys.filter(key => !new RegExp(`\\b${key}\\b`).test(document))).toEqual([]);
});
