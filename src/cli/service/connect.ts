import {createClient, type ServiceClient} from '../../api/http/client.ts';
import {createTokenProvider, type TokenProvider} from '../../api/token/token.ts';
import type {Settings} from '../../config/client/settings.ts';
import {rememberBranchNames} from '../../config/memory/branch-names.ts';
import {findStateFolder} from '../../config/values/find-folders.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import type {Io} from '../io/io.ts';
import type {Say} from '../io/notices.ts';
import {version} from '../io/version.ts';
import {uniqueNames} from '../print/label-branches.ts';

/** Reports a token's warning once: its file is readable by the group, or is gone. */
const sayTokenNotices = (token: TokenProvider, say: Say): TokenProvider => {
  let said: string | undefined;
  return {
    ...token,
    read: async options => {
      const reading = await token.read(options);
      if (reading.notice !== said) {
        said = reading.notice;
        if (said !== undefined) {
          say(said);
        }
      }
      return reading;
    },
  };
};

/**
 * Wraps a client to store the names of every site's last listing, so that completion can offer branches without a
 * request.
 */
const keepBranchNames = (
  client: ServiceClient,
  contextName: string,
  io: Io,
  atEnd: CommandInput['atEnd'],
): ServiceClient => {
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  if (stateFolder === undefined) {
    return client;
  }
  let writing: Promise<void> = Promise.resolve();
  atEnd(() => writing);
  return {
    ...client,
    listBranches: async (siteId, signal) => {
      const answer = await client.listBranches(siteId, signal);
      const names = uniqueNames(answer.value);
      writing = writing.then(() => rememberBranchNames(stateFolder, {contextName, siteId}, names));
      return answer;
    },
  };
};

/**
 * Creates a client for the context of the settings. The caller must close it. `atEnd` is for commands that end by
 * themselves: it waits until the last listing is stored.
 */
export const connect = (
  {context}: Pick<Settings, 'context'>,
  io: Io,
  say: Say,
  atEnd: CommandInput['atEnd'] = () => {},
): ServiceClient => {
  const token = createTokenProvider(context.token, {env: io.env, nowMs: io.clock.nowMs});
  const client = createClient({
    baseUrl: context.baseUrl,
    tenant: context.tenant,
    authMode: context.authMode,
    token: sayTokenNotices(token, say),
    env: io.env,
    userAgent: `branchlog/${version}`,
    nowMs: io.clock.nowMs,
    ...(context.proxy === undefined ? {} : {proxy: context.proxy}),
    windowCut: context.window,
    windowSources: context.sources,
    ...(context.caFile === undefined ? {} : {caFile: context.caFile}),
  });
  return keepBranchNames(client, context.name, io, atEnd);
};
