import {randomBytes} from 'node:crypto';
import {createTokenProvider} from '#api/client/token.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {hasScreen} from '#cli/io/io.ts';
import {version} from '#cli/io/version.ts';
import {defaultLogSettings} from '#config/settings/config-file.ts';
import {defaultNotifySettings, defaultUiSettings} from '#config/settings/sections.ts';
import {createSampleBackend, listSampleSites} from '#demo/world/sample-backend.ts';
import {type ScenarioName, scenarioNames} from '#demo/world/scenario-names.ts';
import {createServer} from '#service/http/server.ts';
import {chooseUi} from './start/choose-ui.ts';
import type {UiInput} from './ui.ts';

const isScenario = (name: string): name is ScenarioName => Object.hasOwn(scenarioNames, name);

/** Gives the same sites and lines at every start, except for what depends on the time of day. */
const demoSeed = 20261121;
const tenant = 'demo';
const authMode = 'demo';

/** Runs `branchlog demo [SCENARIO]`: the built-in service on a free loopback port, and the screens on it. */
export const runDemo = async ({parsed, io}: UiInput): Promise<number> => {
  const [scenario = 'day'] = parsed.operands;
  if (!isScenario(scenario)) {
    throw new UsageError(`unknown scenario ${scenario}: choose one of ${Object.keys(scenarioNames).join(', ')}`);
  }
  if (!hasScreen(io)) {
    throw new UsageError('the demo needs a terminal that supports control sequences');
  }
  const token = randomBytes(24).toString('base64url');
  const server = createServer({
    backend: createSampleBackend({
      scenario,
      seed: demoSeed,
      now: io.clock.nowMs,
      hasNumbers: !parsed.switches.has('no-numbers'),
    }),
    tenant,
    authMode,
    token,
    host: '127.0.0.1',
    port: 0,
  });
  const {baseUrl} = await server.start();
  const openUi = await chooseUi(parsed, io.env);
  return openUi({
    context: {name: scenario === 'day' ? 'demo' : `demo ${scenario}`, host: new URL(baseUrl).host},
    sites: listSampleSites(scenario).map(({id, name}) => ({id, name, openedAtMs: undefined})),
    log: defaultLogSettings,
    openClient: async () => {
      const {createClient} = await import('#api/client/client.ts');
      const source = {kind: 'environment', variable: 'BRANCHLOG_DEMO'} as const;
      return createClient({
        baseUrl,
        tenant,
        authMode,
        // Passed in memory: the token is never in a file or in the environment of this process.
        token: createTokenProvider(source, {env: {BRANCHLOG_DEMO: token}, nowMs: io.clock.nowMs}),
        // Requests to a loopback port must not go through a proxy set in the environment.
        env: {},
        userAgent: `branchlog/${version}`,
        nowMs: io.clock.nowMs,
      });
    },
    ui: defaultUiSettings,
    notify: defaultNotifySettings,
    onExit: () => server.stop(),
  });
};
