import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {lineSources} from '#cli/line-sources.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('kube-site');
});
afterEach(() => folder.remove());

const read = (toml: string) => {
  const path = join(folder.path, 'serve.toml');
  writeFileSync(path, toml);
  return readServeSettings(path, lineSources, '/home/op');
};

const complaint = async (toml: string): Promise<string> => {
  try {
    await read(toml);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message.replaceAll(folder.path, '');
    }
    throw error;
  }
  throw new Error('The settings were accepted.');
};

test('a site of a cluster and one of files stand in one config', async () => {
  const settings = await read(`
tenant = "acme"
[kubernetes]
kubeconfig = "~/.kube/config"
context = "prod-eu"
[[sites]]
id = "shop"
token_file = "shop-token"
[sites.kubernetes]
namespace = "shop"
selector = "app.kubernetes.io/part-of=shop, tier notin (cache,db),!legacy"
branch_label = "app.kubernetes.io/instance"
exclude = ["istio-proxy"]
show_env = ["APP_ENV"]
[[sites.branches]]
name = "master"
status = "DEPLOY_APPLICATION_SUCCESS"
hostname = "shop.example.com"
[sites.branches.kubernetes]
workload = "statefulset/shop-master"
selector = "app=shop-master"
containers = ["php", "nginx"]
appserver = "php"
webserver = "nginx"
[[sites.branches]]
_id = "b2"
name = "draft"
[[sites]]
id = "blog"
`);
  expect(settings.kubernetes).toEqual({kubeconfig: '/home/op/.kube/config', context: 'prod-eu'});
  expect(settings.sites).toEqual([{id: 'blog', branches: []}]);
  expect(settings.kubeSites).toEqual([
    {
      id: 'shop',
      tokenFile: join(folder.path, 'shop-token'),
      namespace: 'shop',
      selector: 'app.kubernetes.io/part-of=shop, tier notin (cache,db),!legacy',
      branchLabel: 'app.kubernetes.io/instance',
      containers: {only: undefined, except: ['istio-proxy']},
      hasEvents: false,
      shownVariables: ['APP_ENV'],
      branches: [
        {
          id: '49a70d2d21535101900bac55',
          name: 'master',
          fields: {status: 'DEPLOY_APPLICATION_SUCCESS', hostname: 'shop.example.com'},
          workload: {kind: 'statefulset', name: 'shop-master'},
          selector: 'app=shop-master',
          containers: {only: ['php', 'nginx'], except: []},
          appserver: 'php',
          webserver: 'nginx',
        },
        {id: 'b2', name: 'draft', fields: {}},
      ],
    },
  ]);
});

test('a namespace is enough', async () => {
  expect((await read('tenant = "a"\n[[sites]]\nid = "s"\n[sites.kubernetes]\nnamespace = "shop"')).kubeSites).toEqual([
    {
      id: 's',
      namespace: 'shop',
      containers: {only: undefined, except: []},
      hasEvents: false,
      shownVariables: [],
      branches: [],
    },
  ]);
});

test('a site may have a cluster of its own; a path is relative to the config', async () => {
  const {kubeSites} = await read(
    'tenant = "a"\n[[sites]]\nid = "s"\n[sites.kubernetes]\nnamespace = "shop"\nkubeconfig = "us"\ncontext = "prod-us"',
  );
  expect(kubeSites.map(({cluster}) => cluster)).toEqual([{kubeconfig: join(folder.path, 'us'), context: 'prod-us'}]);
});

const site = (lines: string): string => `tenant = "a"\n[[sites]]\nid = "s"\n[sites.kubernetes]\n${lines}`;
const branch = (lines: string): string => site(`namespace = "n"\n[[sites.branches]]\nname = "b"\n${lines}`);
const cluster = (lines: string): string => branch(`[sites.branches.kubernetes]\n${lines}`);

test.each([
  ['deployment/web', 'deployment', 'web'],
  ['sts/db', 'statefulset', 'db'],
  ['ds/agent', 'daemonset', 'agent'],
  ['ro/web', 'rollout', 'web'],
  ['cj/backup', 'cronjob', 'backup'],
  ['jobs.batch/import', 'job', 'import'],
  ['po/debug', 'pod', 'debug'],
  ['web', undefined, 'web'],
])('a workload is named as for kubectl: %s', async (text, kind, name) => {
  const {kubeSites} = await read(cluster(`workload = "${text}"`));
  expect(kubeSites[0]?.branches[0]?.workload).toEqual({kind, name});
});

test.each([
  [site(''), 'line 4: sites[0].kubernetes.namespace: missing: give the namespace'],
  [
    site('namespace = "Shop_1"'),
    'line 5: sites[0].kubernetes.namespace: expected a name of small letters, digits and "-"',
  ],
  [site('namespaces = "n"'), 'line 5: sites[0].kubernetes.namespaces: no such setting: did you mean namespace?'],
  [
    site('namespace = "n"\nselector = "app in shop"'),
    'line 6: sites[0].kubernetes.selector: expected a label selector, such as "app=shop,tier!=cache"',
  ],
  [
    site('namespace = "n"\nbranch_label = "a b"'),
    'line 6: sites[0].kubernetes.branch_label: expected the name of a label, such as "app.kubernetes.io/instance"',
  ],
  [
    site('namespace = "n"\ncontainers = ["php"]\nexclude = ["istio-proxy"]'),
    'line 7: sites[0].kubernetes.exclude: cannot be combined with containers: only those are read',
  ],
  [
    site('namespace = "n"\ncontainers = []'),
    'line 6: sites[0].kubernetes.containers: names no container: leave it out to read all',
  ],
  [
    site('namespace = "n"\nshow_env = "APP_ENV"'),
    'line 6: sites[0].kubernetes.show_env: expected an array of strings, got a string',
  ],
  [
    branch('[[sites.branches.pods]]\nname = "p"\nfiles = ["/x"]'),
    'line 8: sites[0].branches[0].pods: the pods of this site come from its [sites.kubernetes]: use another site for files',
  ],
  [branch('stauts = "x"'), 'line 8: sites[0].branches[0].stauts: no such setting: did you mean status?'],
  [branch('replicas = "x"'), 'line 8: sites[0].branches[0].replicas: expected a whole number, 0 or more, got a string'],
  [
    cluster('workload = "replicaset/x"'),
    'line 9: sites[0].branches[0].kubernetes.workload: expected NAME or KIND/NAME, with a KIND of deployment, statefulset, daemonset, rollout, cronjob, job, pod',
  ],
  [
    cluster('workloads = "deployment/x"'),
    'line 9: sites[0].branches[0].kubernetes.workloads: no such setting: did you mean workload?',
  ],
  [
    'tenant = "a"\n[[sites]]\nid = "s"\n[[sites.branches]]\nname = "b"\n[sites.branches.kubernetes]\nworkload = "deployment/x"',
    'line 6: sites[0].branches[0].kubernetes: the site itself needs a [sites.kubernetes] table with the namespace',
  ],
  ['tenant = "a"\n[kubernetes]\ncontexts = "c"', 'line 3: kubernetes.contexts: no such setting: did you mean context?'],
])('a mistake is named with its line: %j', async (toml, words) => {
  expect(await complaint(toml)).toBe(`/serve.toml, ${words}`);
});
