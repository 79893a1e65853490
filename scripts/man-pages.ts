/** Generates the man pages from the tables that `--help` and docs/ are made of, and from the documents. */
import {readFileSync} from 'node:fs';
import {bindingsOn, keysToName, type ScreenName} from '#app/keys/keymap.ts';
import {type CommandSpec, type FlagSpec, formatFlag, formatUsage} from '#cli/arguments/command-spec.ts';
import {commands} from '#cli/arguments/commands.ts';
import {describeFlag, exitCodeRows} from '#cli/arguments/help.ts';
import {everywhereFlags} from '#cli/arguments/shared-flags.ts';
import packageJson from '../package.json' with {type: 'json'};
import {markdownToRoff, roffExample, roffTerm} from './markdown-to-roff.ts';

type Documents = {
  readonly readme: string;
  readonly configuration: string;
  readonly serve: string;
  readonly kubernetes: string;
  readonly changelog: string;
};

const code = (text: string): string => `\`${text}\``;

/** The date of the last release: a page made twice is the same. */
const titleOf = (name: string, section: number, {changelog}: Documents): string => {
  const date = /^## \d\S* - (\S+)$/m.exec(changelog)?.[1] ?? '';
  return `.TH ${name.toUpperCase()} ${section} "${date}" "branchlog ${packageJson.version}" "branchlog manual"`;
};

const flagTerms = (flags: readonly FlagSpec[]): string =>
  flags.map(flag => roffTerm(code(formatFlag(flag).trim()), describeFlag(flag))).join('\n');

const commandSection = (command: CommandSpec): string =>
  [
    markdownToRoff(
      `### ${formatUsage(command)}\n\n${[`${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`, ...command.details].join('\n\n')}`,
    ),
    flagTerms(command.flags),
    '.PP\nExamples:',
    roffExample(command.examples),
  ]
    .filter(Boolean)
    .join('\n');

const screenTitles: Readonly<Record<ScreenName, string>> = {sites: 'Sites', branches: 'Branches', log: 'Log'};

const keysSection = (screen: ScreenName): string =>
  [
    `.SS ${screenTitles[screen]}`,
    ...bindingsOn(screen).map(binding => roffTerm(keysToName(binding).map(code).join(' '), binding.help)),
  ].join('\n');

const environment: readonly (readonly [string, string])[] = [
  ...['context', 'base-url', 'tenant', 'auth-mode', 'token-file', 'config'].map(
    name => [`BRANCHLOG_${name.toUpperCase().replace('-', '_')}`, `same as \`--${name}\``] as const,
  ),
  ['BRANCHLOG_TOKEN', 'the token itself, if there is no token file'],
  ['KUBECONFIG', 'kubeconfig files for `branchlog kube` and `--kube`, as for kubectl'],
  ['HTTPS_PROXY', 'proxy for the service, as for other programs; so are `HTTP_PROXY` and `NO_PROXY`'],
  ['NO_COLOR', 'if set and not empty, no colours'],
  ['INK_SCREEN_READER', 'if `true`, same as `--screen-reader`'],
  ['PAGER', 'the pager that shows the lines of a log'],
];

const files: readonly (readonly [string, string])[] = [
  ['$XDG_CONFIG_HOME/branchlog/config.toml', 'the config file (`~/.config`); see `branchlog-config(5)`'],
  ['$XDG_STATE_HOME/branchlog/', 'what is remembered between runs (`~/.local/state`); no log lines'],
];

const terms = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([term, meaning]) => roffTerm(code(term), meaning)).join('\n');

const programPage = (documents: Documents): readonly string[] => [
  titleOf('branchlog', 1, documents),
  ".SH NAME\nbranchlog \\- browse the branches of a site and watch a branch's log",
  `.SH SYNOPSIS\n.nf\n${commands.map(command => inSynopsis(formatUsage(command))).join('\n')}\n.fi`,
  '.SH DESCRIPTION',
  markdownToRoff(documents.readme.split('\n\n')[1] ?? ''),
  '.SH COMMANDS',
  ...commands.map(commandSection),
  '.SH GLOBAL FLAGS',
  flagTerms(everywhereFlags),
  '.SH KEYS',
  ...(Object.keys(screenTitles) as ScreenName[]).map(keysSection),
  '.SH EXIT STATUS',
  terms(exitCodeRows.map(([number, meaning]) => [String(number), meaning])),
  '.SH ENVIRONMENT',
  terms(environment),
  '.SH FILES',
  terms(files),
  '.SH SEE ALSO\n.BR branchlog\\-config (5),\n.BR branchlog\\-serve (5)',
];

const inSynopsis = (usage: string): string =>
  usage.replaceAll('…', '...').replace(/^branchlog( [a-z]+)?/, words => `\\fB${words}\\fR`);

const configPage = (documents: Documents): readonly string[] => [
  titleOf('branchlog-config', 5, documents),
  '.SH NAME\nbranchlog\\-config \\- config file of branchlog',
  '.SH DESCRIPTION',
  markdownToRoff(documents.configuration),
  '.SH SEE ALSO\n.BR branchlog (1),\n.BR branchlog\\-serve (5)',
];

/** What docs/kubernetes.md says about the config. */
const clusterSites = ({kubernetes}: Documents): string => {
  const [, section] = /^## Serving others\n(.*?)^## /ms.exec(kubernetes) ?? [];
  if (section === undefined) {
    throw new Error('docs/kubernetes.md has no section "Serving others"');
  }
  return `## Sites of a Kubernetes cluster\n${section}`;
};

const servePage = (documents: Documents): readonly string[] => [
  titleOf('branchlog-serve', 5, documents),
  '.SH NAME\nbranchlog\\-serve \\- config file of branchlog serve',
  '.SH DESCRIPTION',
  markdownToRoff(documents.serve),
  markdownToRoff(clusterSites(documents)),
  '.SH SEE ALSO\n.BR branchlog (1),\n.BR branchlog\\-config (5)',
];

/** A heading begins a paragraph by itself. */
const paragraphAfterHeading = /^(\.S[HS] .*)\n\.PP$/gm;

const read = (path: string): string => readFileSync(path, 'utf8');

/** Returns the man pages by file name. */
export const makeManPages = (): ReadonlyMap<string, string> => {
  const documents: Documents = {
    readme: read('README.md'),
    configuration: read('docs/configuration.md'),
    serve: read('docs/serve.md'),
    kubernetes: read('docs/kubernetes.md'),
    changelog: read('CHANGELOG.md'),
  };
  return new Map(
    Object.entries({'branchlog.1': programPage, 'branchlog-config.5': configPage, 'branchlog-serve.5': servePage}).map(
      ([name, make]) => [name, `${make(documents).join('\n').replaceAll(paragraphAfterHeading, '$1')}\n`],
    ),
  );
};
