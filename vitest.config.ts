import {join} from 'node:path';
import {configDefaults, defineConfig} from 'vitest/config';

/**
 * What `npm run test:fast` leaves out: real terminals, real processes, waits for real timers, long soaks, whole
 * documents. A test holds that each glob finds a file.
 */
export const slowTests: readonly string[] = [
  'test/program/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/support/pty-program.test.ts',
  'test/terminal/*-in-terminal.test.ts',
  'test/terminal/real-terminals.test.ts',
  'test/terminal/suspend.test.ts',
  'test/cli/{program,record-replay,several-branches}.test.ts',
  'test/cli/open/print-command.test.ts',
  'test/cli/commands/completion.test.ts',
  'test/cli/logs/follow/follow.test.ts',
  'test/cli/screens/notify-command.test.ts',
  'test/cli/open/kube/{kube-commands,unreadable-logs}.test.ts',
  'test/service/files/{full-disk,serve-crash,truth}.test.ts',
  'test/service/files/follow/many-files.test.ts',
  'test/service/foreign-names.test.ts',
  'test/service/http/answers/monitoring.test.ts',
  'test/service/http/listen.test.ts',
  'test/service/command/{journald-source,real-journald}.test.ts',
  'test/service/kubernetes/directory/double.test.ts',
  'test/service/kubernetes/truth.test.ts',
  'test/service/files/opened/read-on.test.ts',
  'test/demo/world/sample-backend.test.ts',
  'test/demo/world/scenarios/sample-log.test.ts',
  'test/service/command/{command-source,run-command,serve-command}.test.ts',
  'test/log/simulation/{fifteen-cases,pace-loop,properties,table-cases}.test.ts',
  'test/log/incident/simulation/table.test.ts',
  'test/app/search/search-host.test.ts',
  'test/app/simulation/soak.test.ts',
  'test/app/lists/probes-over-http.test.ts',
  'test/api/bounds.test.ts',
  'test/api/client/http/client-faults.test.ts',
  'test/cli/schemas.test.ts',
  'test/cli/commands/doctor.test.ts',
  'test/cli/open/kube/{logs-reach,serve-cluster}.test.ts',
  'test/demo/day.test.ts',
  'test/demo/world/scenarios/scenarios.test.ts',
  'test/demo/world/traffic/incidents.test.ts',
  'test/docs.test.ts',
  'test/log/simulation/several-branches.test.ts',
  'test/service/docker/follow-containers.test.ts',
  'test/service/files/follow/follow-files.test.ts',
  'test/service/kubernetes/double/api-server.test.ts',
  'test/service/kubernetes/transport/links.test.ts',
];

/**
 * What `npm test` leaves to `npm run test:all`, to stay within minutes on two cores: packages as they ship, our doubles
 * of others' programs beside the originals, and whether the simulation's judges find an engine that is broken. A test
 * holds that each glob finds a file.
 */
export const longTests: readonly string[] = [
  'test/{reproducible,sbom,kubernetes-manifests}.test.ts',
  'test/library/installed.test.ts',
  'test/service/kubernetes/double/kubectl*.test.ts',
  'test/service/files/logrotate.test.ts',
  'test/log/simulation/mutants.test.ts',
  'test/torture/*.test.ts',
];

/** What needs a real Kubernetes and a real Docker: `npm run test:engines`, and no other, runs them. */
const engineTests = 'test/engines/*.test.ts';

const excludedOf = (mode: string): readonly string[] =>
  mode === 'all' ? [] : mode === 'fast' ? [...slowTests, ...longTests] : longTests;

export default defineConfig(({mode}) => ({
  test: {
    include: mode === 'engines' ? [engineTests] : ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [...configDefaults.exclude, ...(mode === 'engines' ? [] : [engineTests, ...excludedOf(mode)])],
    // More than a small machine has cores: most slow tests wait for a process or a timer. The fast ones beside them, in
    // the same project, fill these waits.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests make much that is soon garbage: with more room for it, collecting it takes a tenth less of their processor
    // time.
    execArgv: ['--max-semi-space-size=32'],
    // A new process for each file would take half as long as these tests themselves.
    isolate: false,
    env: {
      NODE_ENV: 'test',
      TZ: 'UTC',
      // test/support/thorough.ts reads it.
      BRANCHLOG_TESTS: mode === 'all' ? 'all' : '',
      // Programs under test are compiled once for all, not in each temporary home anew.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/branchlog-tests'),
    },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      reporter: ['text', 'html'],
      reportOnFailure: true,
    },
  },
}));
