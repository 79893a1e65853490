import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {knownKubeContexts, knownNamespaces, knownWorkloads} from '#cli/commands/completion/known-names.ts';
import {processIo} from '#cli/io/io.ts';
import {rememberBranchNames} from '#config/memory/branch-names.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const open = async (hasKubeconfig = true) => {
  const folder = createTempFolder('names');
  onTestFinished(() => folder.remove());
  const kubeconfig = join(folder.path, 'kubeconfig');
  if (hasKubeconfig) {
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'here',
        contexts: ['here', '-flag', 'there'].map(name => ({name, context: {cluster: 'c', user: 'u'}})),
        clusters: [{name: 'c', cluster: {server: 'https://127.0.0.1:1'}}],
        users: [{name: 'u', user: {token: 't'}}],
      }),
    );
  }
  const stateFolder = join(folder.path, 'state', 'branchlog');
  mkdirSync(stateFolder, {recursive: true});
  await rememberBranchNames(stateFolder, {contextName: 'here', siteId: 'shop'}, ['web', 'php', '-x']);
  await rememberBranchNames(stateFolder, {contextName: 'there', siteId: 'far'}, ['other']);
  await rememberBranchNames(stateFolder, {contextName: 'here', siteId: 'blog'}, ['main']);
  const io = {...processIo(folder.path), env: {KUBECONFIG: kubeconfig, XDG_STATE_HOME: join(folder.path, 'state')}};
  return (words: readonly string[], know: typeof knownNamespaces) =>
    know(parseArguments(['logs', '--kube', ...words]), io);
};

test('contexts are those of the kubeconfig that can be typed', async () => {
  const known = await open();
  expect(await known(['a', 'b'], knownKubeContexts)).toEqual([
    {word: 'here', help: 'context of the kubeconfig'},
    {word: 'there', help: 'context of the kubeconfig'},
  ]);
});

test('namespaces are those that were opened before in the context', async () => {
  const known = await open();
  expect((await known(['a', 'b'], knownNamespaces)).map(({word, help}) => [word, help])).toEqual([
    ['blog', 'namespace'],
    ['shop', 'namespace'],
  ]);
  expect((await known(['a', 'b', '--context', 'there'], knownNamespaces)).map(({word}) => word)).toEqual(['far']);
});

test('branches are those of the namespace, but for those that were typed', async () => {
  const known = await open();
  const words = async (...typed: readonly string[]) => (await known(typed, knownWorkloads)).map(({word}) => word);
  expect(await words('shop', 'other')).toEqual(['web', 'php']);
  expect(await words('shop', 'web')).toEqual(['php']);
  expect(await words('--namespace', 'shop', 'php')).toEqual(['web']);
  expect(await words('none', 'php')).toEqual([]);
});
