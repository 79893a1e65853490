import type {EffectRunnerOptions} from '#app/effect-runner.ts';

/** What an effect runner calls, where a test is about none of it. */
export const idleEffects = {
  prepareWindow: async () => undefined,
  openSearch: async () => {
    throw new Error('nothing is searched here');
  },
  rememberSite: async () => undefined,
  keepFilters: async () => undefined,
  switchContext: () => {},
  copy: async () => '',
  runExport: () => {},
  setMouse: () => {},
  callUser: () => {},
  nextTheme: () => '',
  repaint: () => {},
  suspend: () => {},
  exit: () => {},
} satisfies Partial<EffectRunnerOptions>;
