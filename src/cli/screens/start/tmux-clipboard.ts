import {runBounded} from '#base/system/programs.ts';

/** Two words. */
const outputBytesMax = 1_000;

/**
 * Returns the tmux option `set-clipboard` if the tmux around us keeps copies from the terminal: it is not `on`, so that
 * tmux ignores the plain sequence, and `allow-passthrough` is `off`, so that it drops the wrapped one. Undefined
 * otherwise, and where tmux gives no answer in time: older ones than 3.3 pass on all that is wrapped.
 */
export const findTmuxRefusal = async (
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<'external' | 'off' | undefined> => {
  const [socket = ''] = env.TMUX?.split(',') ?? [];
  if (socket === '') {
    return undefined;
  }
  const pane = env.TMUX_PANE ? ['-t', env.TMUX_PANE] : [];
  const outcome = await runBounded({
    command: ['tmux', '-S', socket, 'show', '-sv', 'set-clipboard', ';', 'show', '-qApv', ...pane, 'allow-passthrough'],
    kind: 'tool',
    env,
    timeoutMs,
    outputBytesMax,
  });
  const [clipboard, passthrough] = outcome.kind === 'done' ? outcome.output.toString('latin1').split('\n') : [];
  return passthrough === 'off' && (clipboard === 'external' || clipboard === 'off') ? clipboard : undefined;
};
