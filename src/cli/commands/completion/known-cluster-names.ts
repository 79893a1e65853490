import {flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import type {Io} from '#cli/io/io.ts';
import {chosenContext, readChosenKubeconfig} from '#cli/open/kube-flags.ts';
import {recallBranchNames, recallListedSites} from '#config/memory/branch-names.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {type Candidate, toCandidate} from './known-names.ts';

/** Returns the contexts of the kubeconfig. Throws if it can't be read. */
export const knownKubeContexts = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const {contexts} = await readChosenKubeconfig(parsed, io);
  return [...contexts.keys()].flatMap(name => toCandidate(name, 'context of the kubeconfig'));
};

/** Reads what is remembered of the cluster, which is never asked. */
const recall = async (
  parsed: ParsedArguments,
  io: Io,
  read: (stateFolder: string, contextName: string) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const contextName = chosenContext(parsed) ?? (await readChosenKubeconfig(parsed, io)).currentContext;
  return stateFolder === undefined || contextName === undefined ? [] : read(stateFolder, contextName);
};

/** Returns the namespaces that were opened before. */
export const knownNamespaces = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> =>
  (await recall(parsed, io, recallListedSites)).flatMap(name => toCandidate(name, 'namespace'));

/** Returns the branches of the typed namespace from its last listing, except those already on the line. */
export const knownWorkloads = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const flag = flagValue(parsed, 'namespace');
  const [siteId = '', ...given] = flag === undefined ? parsed.operands : [flag, ...parsed.operands];
  const names = await recall(parsed, io, (stateFolder, contextName) =>
    recallBranchNames(stateFolder, {contextName, siteId}),
  );
  return names.filter(name => !given.includes(name)).flatMap(name => toCandidate(name, 'branch'));
};
