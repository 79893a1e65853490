import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {keymap} from '../src/app/keymap.ts';
import {rebindKeys} from '../src/app/rebind-keys.ts';
import {readCallWishes} from '../src/cli/call-wishes.ts';
import {loadSettings} from '../src/config/load-settings.ts';
import {createTempFolder} from './support/temp-folder.ts';

const text = readFileSync('docs/configuration.md', 'utf8');
const examples = [...text.matchAll(/```toml\n(.*?)```/gs)].map(([, toml = '']) => toml);

test('the examples of docs/configuration.md are taken as they stand, all in one file', async () => {
  expect(examples).toHaveLength(3);
  const folder = createTempFolder('docs');
  try {
    const path = join(folder.path, 'config.toml');
    writeFileSync(path, examples.join('\n'));
    const settings = loadSettings({
      flags: {config: path, baseUrl: 'https://api.example.com/dev-v1', tenant: 't', authMode: 'a', tokenFile: '/token'},
      env: {},
      homeFolder: undefined,
    });
    const {keys, notify} = settings;
    const rebound = rebindKeys(keymap, keys.bindings, {place: keys.place, suggest: () => undefined});
    expect(rebound).toMatchObject({kind: 'keymap'});
    const wishes = await readCallWishes(notify);
    expect([wishes?.matches?.('PHP Fatal error: x'), wishes?.matches?.('calm')]).toEqual([true, false]);
  } finally {
    folder.remove();
  }
});

test('every key of [ui] and [notify] has its row, and every table its section', () => {
  for (const key of ['theme', 'mouse', 'bell', 'osc9', 'pattern', 'first_error', 'quiet']) {
    expect(text).toContain(`\n| \`${key}\` | `);
  }
  for (const table of ['ui', 'keys', 'notify']) {
    expect(text).toContain(`\n## \`[${table}]\`\n`);
  }
});
