/**
 * The variables of a tool that branchlog runs for itself, such as xz and journalctl: where programs, home and temporary
 * files are, and in which language and time zone it writes. LC_ of any kind comes on top.
 */
const toolVariables: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR']);

/** Variables that hold a secret of branchlog's, or are for its own processes only. */
const ownVariables: ReadonlySet<string> = new Set(['BRANCHLOG_TOKEN', 'BRANCHLOG_LAUNCHED']);

/** `tool`: a program that branchlog runs for itself. `command`: one that the user or a config named. */
export type ChildKind = 'tool' | 'command';

/**
 * Returns the environment that a child process gets; every child gets it from here. A command has what the user's shell
 * has, without branchlog's secrets; a tool has only what tools need.
 */
export const environmentFor = (kind: ChildKind, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      kind === 'tool' ? toolVariables.has(name) || name.startsWith('LC_') : !ownVariables.has(name),
    ),
  );
