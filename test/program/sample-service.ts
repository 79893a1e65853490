import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {FakeWindow} from '../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {type PtyProgram, type PtyProgramOptions, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {firstWindow} from './sample-log.ts';

/** The service's clock stands still, so that "2 h ago" is the same in every run. */
const serviceDate = 'Sat, 21 Nov 2026 14:12:00 GMT';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Good for six hours and twelve minutes by the service's clock. */
export const sampleToken = `${part({alg: 'none'})}.${part({exp: Date.UTC(2026, 10, 21, 20, 24) / 1000})}.c2lnbmF0dXJl`;

const built = (id: string, name: string, updatedAt: string, changes: object = {}) =>
  makeBuiltBranch(id, name, {updatedAt, branchType: name === 'master' ? 'MASTER' : 'FEATURE', ...changes});

/** A branch of every kind of status, and one whose name is longer than any column. */
export const sampleBranches = [
  makeBranch('b-theme', 'feature/new-theme', {createdAt: '2026-11-16T14:00:00.000Z'}),
  built('b-master', 'master', '2026-11-21T12:12:00.000Z'),
  built('b-checkout', 'feature/checkout', '2026-11-18T14:12:00.000Z', {replicas: 1}),
  built('b-cart', 'hotfix/cart', '2026-11-21T14:11:00.000Z', {status: 'BUILD_APPLICATION_RUNNING'}),
  built('b-staging', 'staging', '2026-11-21T14:01:00.000Z', {status: 'DEPLOY_APPLICATION_FAILED'}),
  built('b-quota', 'experiment', '2026-11-20T14:12:00.000Z', {status: 'WAITING_FOR_QUOTA', replicas: 0}),
  built('b-long', 'release/2026-11-a-name-that-somebody-made-far-too-long', '2026-10-02T08:00:00.000Z'),
];

export type SampleService = Pick<FakeService, 'failAlways' | 'failNext' | 'requests' | 'setBranches' | 'setLog'> & {
  /** What the log of `master` is answered with from now on. */
  setWindow(window: FakeWindow): void;
  /** Opens the built program on the service, in a home with a config file. What was remembered of branches is forgotten, unless it is to be kept. */
  open(options?: PtyProgramOptions & {readonly keepsMemory?: boolean}): PtyProgram;
  close(): Promise<void>;
};

const sites: readonly (readonly [id: string, name: string])[] = [
  ['5f3c0a12', 'shop'],
  ['77b1d29e', 'shipping'],
  ['90aa41c3', 'showroom'],
];

const writeConfig = (
  home: TempFolder,
  baseUrl: string,
  extraSites: readonly string[],
  extraConfig: string,
  pulse: string,
): void => {
  const folder = join(home.path, '.config/branchlog');
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(home.path, 'token'), sampleToken, {mode: 0o600});
  writeFileSync(
    join(folder, 'config.toml'),
    `default_context = "production"
[log]
pulse = "${pulse}"
[contexts.production]
base_url = "${baseUrl}"
tenant = "org-1"
auth_mode = "mode-1"
token_file = "~/token"
${[...sites, ...extraSites.map(name => [`id-${name}`, name])]
  .map(([id, name]) => `[[contexts.production.sites]]\nid = "${id}"\nname = "${name}"\n`)
  .join('')}${extraConfig}`,
  );
};

/**
 * A service at rest: three sites, of which `shop` has a branch of every status, `shipping` none and `showroom` is not known to the
 * service; and the programs that are opened on it. Nothing in it moves but what a test moves.
 */
export const startSampleService = async ({
  extraSites = [],
  extraConfig = '',
  pulse = 'off',
}: {
  readonly extraSites?: readonly string[];
  /** Tables at the end of the config file. */
  readonly extraConfig?: string;
  /** How often a log is looked at while branches are listed. Off by default: what is seen would depend on time. */
  readonly pulse?: string;
} = {}): Promise<SampleService> => {
  const service = await startFakeService({tokens: [sampleToken]});
  const home = createTempFolder('screens');
  writeConfig(home, service.baseUrl, extraSites, extraConfig, pulse);
  service.setDate(serviceDate);
  service.setBranches('5f3c0a12', sampleBranches);
  service.setBranches('77b1d29e', []);
  let current: FakeWindow = firstWindow;
  service.setLog('b-master', () => current);
  const programs: PtyProgram[] = [];
  return {
    failAlways: service.failAlways,
    failNext: service.failNext,
    requests: service.requests,
    setBranches: service.setBranches,
    setLog: service.setLog,
    setWindow(window) {
      current = window;
    },
    open({keepsMemory = false, ...options} = {}) {
      if (!keepsMemory) {
        rmSync(join(home.path, '.local/state/branchlog/branch-state.json'), {force: true});
      }
      const program = startPtyProgram({home, ...options});
      programs.push(program);
      return program;
    },
    async close() {
      await Promise.all(programs.map(program => program.close()));
      await service.close();
      home.remove();
    },
  };
};
