import type {CommandSpec, FlagSpec} from './command-spec.ts';

/** Which service, and as whom. There is no `--token`: other users can read argument lists. */
const serviceFlags: readonly FlagSpec[] = [
  {name: 'context', value: 'NAME', help: 'use this context of the config file', completes: 'context'},
  {name: 'base-url', value: 'URL', help: 'address of the service, up to its version segment'},
  {name: 'tenant', value: 'ID', help: 'organisation id, sent with every request'},
  {name: 'auth-mode', value: 'VALUE', help: 'identity-provider mode, sent with every request'},
  {name: 'token-file', value: 'PATH', help: 'file that contains the token', completes: 'file'},
];

/** Flags of every command. */
export const everywhereFlags: readonly FlagSpec[] = [
  ...serviceFlags,
  {name: 'config', value: 'PATH', help: 'read this config file', completes: 'file'},
  {
    name: 'color',
    value: 'WHEN',
    help: 'colours: auto (the default), always or never; overrides NO_COLOR and CLICOLOR',
    choices: ['auto', 'always', 'never'],
  },
  {name: 'help', short: 'h', help: 'show this help'},
  {name: 'version', short: 'V', help: 'show the version'},
];

/** Returns the flags of every command that have a meaning for this one. */
export const globalFlagsOf = ({isWithoutService}: CommandSpec): readonly FlagSpec[] =>
  everywhereFlags.filter(flag => !(isWithoutService && serviceFlags.includes(flag)));

/** For every command that reads logs. */
export const replayFlag: FlagSpec = {
  name: 'replay',
  value: 'FILE',
  help: 'play a recording instead of asking a service',
  completes: 'file',
};

/** Flags of every command that watches logs. */
export const recordingFlags: readonly FlagSpec[] = [
  {name: 'record', value: 'FILE', help: 'record every response to a new file', completes: 'file'},
  replayFlag,
  {name: 'speed', value: 'FACTOR', help: 'playback speed: a factor such as 1 (the default) or 10, or max'},
];

/** Which cluster, and which part of it: for `kube`, and with `--kube` for the commands that print. */
export const clusterFlags: readonly FlagSpec[] = [
  {name: 'kube-context', value: 'NAME', help: 'use this context of the kubeconfig', completes: 'kube-context'},
  {name: 'kubeconfig', value: 'FILE', help: 'read this kubeconfig instead of those of kubectl', completes: 'file'},
  {name: 'as', value: 'USER', help: 'act as this user, if you may impersonate'},
  {name: 'as-group', value: 'GROUP', help: 'act as a member of this group; repeatable', isRepeatable: true},
];

/** Which workloads, and what a branch is. */
export const workloadFlags: readonly FlagSpec[] = [
  {name: 'selector', short: 'l', value: 'SELECTOR', help: 'only workloads that, or whose pods, match: app=shop'},
  {name: 'branch-label', value: 'LABEL', help: 'each value of this label is a branch'},
];

/** Which namespace, for the commands that name no site. */
export const namespaceFlag: FlagSpec = {
  name: 'namespace',
  short: 'n',
  value: 'NAMESPACE',
  help: 'the namespace; by default that of the kubeconfig context',
  completes: 'namespace',
};

/** The same where the namespace can be an operand, and for commands whose -n is something else. */
export const namespaceWordFlag: FlagSpec = {
  name: namespaceFlag.name,
  value: 'NAMESPACE',
  help: 'the namespace, instead of SITE',
  completes: 'namespace',
};

/** The flags of kubectl for what `kube` does. */
export const kubectlFlags: readonly FlagSpec[] = [
  {...namespaceFlag, help: 'another way to name the namespace, that of kubectl'},
  {name: 'all-namespaces', short: 'A', help: 'list all namespaces, or fail if you may not'},
  {
    name: 'context',
    value: 'NAME',
    help: 'the same as --kube-context; repeatable',
    isRepeatable: true,
    completes: 'kube-context',
  },
  {name: 'all-contexts', help: 'all contexts of the kubeconfig side by side'},
];

/** As of kubectl. */
export const previousFlag: FlagSpec = {
  name: 'previous',
  short: 'p',
  help: 'the previous instance of each container, to its end',
};

/** Scripts get no lines but those of containers, unless they ask for them. */
export const eventsFlag: FlagSpec = {
  name: 'events',
  help: 'also the events of the branch, its pods and ReplicaSets, as lines of the source events',
};

/** Makes a command read a cluster instead of a service. */
export const kubeSwitch: FlagSpec = {name: 'kube', help: 'SITE is a Kubernetes namespace; see help kube'};

/** Returns flags that need `--kube`. */
export const onlyWithKube = (flags: readonly FlagSpec[]): readonly FlagSpec[] =>
  flags.map(flag => ({...flag, onlyWith: kubeSwitch.name}));

/** What is opened by name, in place of a service. */
export const openedFlags: readonly FlagSpec[] = [
  {name: 'rotated', help: 'also what rotation left beside FILE, such as FILE.1 and FILE.2.gz'},
  {name: 'docker', help: 'open containers of Docker in place of files; FILE is then a NAME'},
  {name: 'podman', help: 'open containers of Podman'},
];

/** For every command that opens the terminal UI. */
export const screenReaderFlag: FlagSpec = {
  name: 'screen-reader',
  help: 'sentences for a screen reader instead of screens',
};
