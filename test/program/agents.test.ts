import {execFile} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {Ajv2020} from 'ajv/dist/2020.js';
import {expect, onTestFinished, test} from 'vitest';
import {compiledOnce, installProgram} from '../support/built-program.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {fakeToken, startFakeService} from '../support/fake-service.ts';
import {createTempFolder} from '../support/temp-folder.ts';

const document = readFileSync('docs/agents.md', 'utf8');
const blockOf = (heading: string, language: string): string =>
  new RegExp(`^## ${heading}\\n.*?\`\`\`${language}\\n(.*?)\`\`\``, 'ms').exec(document)?.[1] ?? '';

/** Half an hour, the last ten minutes of which every third line is an error. */
const lines = Array.from({length: 1800}, (_, second) => {
  const isError = second >= 1200 && second % 3 === 0;
  const at = new Date(Date.now() - (1800 - second) * 1000).toISOString();
  return `${at} ${isError ? 'level=error msg="tax service rejected quote"' : 'level=info msg="order stored"'} order=${second}`;
});

/** A shell in which `branchlog` is the program as built, and shop a site with the branch master. */
const openShell = async () => {
  const service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  const folder = createTempFolder('agents');
  onTestFinished(async () => {
    await service.close();
    folder.remove();
  });
  service.setBranches('shop', [makeBuiltBranch('branch-1', 'master')]);
  service.setLog('branch-1', () => ({lines}));
  const env = {
    ...{PATH: `${installProgram(folder.path)}:${process.env.PATH}`, HOME: folder.path, ...compiledOnce},
    ...{BRANCHLOG_BASE_URL: service.baseUrl, BRANCHLOG_TENANT: 'acme', BRANCHLOG_AUTH_MODE: 'idp'},
    BRANCHLOG_TOKEN: fakeToken,
  };
  const sh = async (script: string) =>
    (await promisify(execFile)('bash', ['-e', '-c', script], {env, cwd: folder.path})).stdout;
  return {env, folder, sh};
};

test('the server that docs/agents.md registers answers the client of the SDK, which checks each answer by its schema', async () => {
  const {env, folder} = await openShell();
  const {branchlog} = JSON.parse(blockOf('An agent with MCP', 'json')).mcpServers;
  expect(branchlog).toEqual({command: 'branchlog', args: ['mcp', '--files', '/var/log']});
  writeFileSync(join(folder.path, 'app.log'), `${lines.join('\n')}\n`);
  const client = new Client({name: 'test', version: '1'});
  const args = ['mcp', '--files', folder.path];
  const set = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  await client.connect(new StdioClientTransport({command: join(folder.path, 'bin/branchlog'), args, env: set}));
  const {tools} = await client.listTools();
  const told = [...document.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  expect(tools.map(({name}) => name)).toEqual(told);
  for (const given of [{file: 'app.log'}, {site: 'shop', branch: 'master'}]) {
    const incident = await client.callTool({name: 'incident', arguments: given});
    expect(incident.structuredContent).toMatchObject({verdict: {verdict: 'found'}, gaps: 0});
    expect(Buffer.byteLength(JSON.stringify(incident))).toBeLessThanOrEqual(4000);
    const minute = await client.callTool({name: 'read_log', arguments: {...given, level: 'error'}});
    expect(minute.structuredContent).toMatchObject({lines: {matched: 200}});
    expect(Buffer.byteLength(JSON.stringify(minute))).toBeLessThanOrEqual(8000);
  }
  await client.close();
});

test('the commands of docs/agents.md print records that have their schemas, within their budget', async () => {
  const {sh} = await openShell();
  const ajv = new Ajv2020({strict: false, formats: {'date-time': true}});
  const commands = blockOf('An agent with commands', 'sh').trim().split('\n');
  const printed = await Promise.all(commands.map(command => sh(command)));
  for (const [index, name] of ['incident', 'log'].entries()) {
    const validate = ajv.compile(JSON.parse(readFileSync(`docs/schemas/${name}.schema.json`, 'utf8')));
    const rows = (printed[index] ?? '').trimEnd().split('\n');
    expect(Buffer.byteLength(printed[index] ?? '')).toBeLessThanOrEqual(name === 'log' ? 8192 : 4096);
    for (const row of rows) {
      expect([row, validate(JSON.parse(row)), validate.errors]).toEqual([row, true, null]);
    }
    expect(JSON.parse(rows.at(-1) ?? '')).toMatchObject({kind: 'end'});
  }
});

test('the gate of docs/agents.md stops at an incident', async () => {
  const {sh} = await openShell();
  expect(await sh(blockOf('A pipeline', 'sh'))).toBe('stop: exit code 0\n');
});
