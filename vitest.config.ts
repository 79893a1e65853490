import {configDefaults, defineConfig} from 'vitest/config';

/** What `npm run test:fast` leaves out: real terminals, real processes, long soaks. A test holds that each glob finds a file. */
export const slowTests: readonly string[] = [
  'test/program/**',
  'test/support/pty-program.test.ts',
  'test/terminal/*-in-terminal.test.ts',
  'test/terminal/real-terminals.test.ts',
  'test/terminal/suspend.test.ts',
  'test/cli/{program,record-replay,several-branches}.test.ts',
  'test/cli/logs/follow.test.ts',
  'test/service/files/{logrotate,serve-crash,truth}.test.ts',
  'test/service/sample/{sample-log,sample-backend}.test.ts',
  'test/log/simulation/{fifteen-cases,mutants}.test.ts',
  'test/app/simulation/soak.test.ts',
];

export default defineConfig(({mode}) => ({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [...configDefaults.exclude, ...(mode === 'fast' ? slowTests : [])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // A new process for each file takes as long as the fast tests themselves; everything together keeps them apart.
    isolate: mode !== 'fast',
    env: {NODE_ENV: 'test', TZ: 'UTC'},
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      reporter: ['text', 'html'],
      reportOnFailure: true,
    },
  },
}));
