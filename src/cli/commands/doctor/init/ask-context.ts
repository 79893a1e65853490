import {resolve} from 'node:path';
import {createTokenProvider} from '#api/client/token.ts';
import {serviceAddress} from '#base/service-address.ts';
import {connect} from '#cli/connection/connect.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import type {Io} from '#cli/io/io.ts';
import type {NewContext} from '#config/settings/context-text.ts';
import {expandPath} from '#config/settings/folders.ts';
import type {ContextSettings} from '#config/settings/settings.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {checkHeaderValue, parseBaseUrl} from '#config/settings/values.ts';
import {checkToken, type Failure, type Finding, found} from '../checks/finding.ts';
import {checkNetwork} from '../checks/network-checks.ts';
import {checkService} from '../checks/service-checks.ts';
import {AnswerRejected, type Answers} from './answers.ts';

/** Answers that flags and environment suggest. */
export type Suggestions = {
  readonly [Key in 'context' | 'baseUrl' | 'tenant' | 'authMode' | 'tokenFile' | 'caFile' | 'siteId' | 'siteName']:
    | string
    | undefined;
};

export type AskInput = {
  readonly answers: Answers;
  readonly suggestions: Suggestions;
  readonly io: Io;
  readonly signal: AbortSignal;
};

/** Asks for a context, except its name, and checks each answer as soon as it can be. */
export const askContext = async (input: AskInput): Promise<Omit<NewContext, 'name'>> => {
  const {answers, suggestions} = input;
  const address = await askAddress(input);
  let access = await askAccess(input, suggestions);
  for (let siteId = suggestions.siteId; ; ) {
    siteId = await answers.ask('Id of a site, to try the token on (empty for none)', siteId);
    if (siteId === '') {
      return {...address, ...access, sites: []};
    }
    const failure = await checkSite(input, {...address, ...access, sites: [{id: siteId, name: undefined}]});
    if (failure === undefined) {
      const name = await answers.ask('Name for this site (empty for none)', suggestions.siteName);
      return {...address, ...access, sites: [{id: siteId, name: name || undefined}]};
    }
    answers.reject(new AnswerRejected(tryAgain, failure.exitCode));
    // An unknown site says nothing about the other answers.
    if (failure.exitCode !== exitCodes.notFound) {
      access = await askAccess(input, access);
    }
  }
};

const tryAgain = 'Give another answer, or press Enter to try the same one again.';

/** Asks until `check` accepts the answer; it throws a `ConfigError` or `AnswerRejected` for others. */
const askUntil = async <Value>(
  answers: Answers,
  question: string,
  suggestion: string | undefined,
  check: (answer: string) => Value | Promise<Value>,
): Promise<Value> => {
  for (let offered = suggestion; ; ) {
    const answer = await answers.ask(question, offered);
    try {
      return await check(answer);
    } catch (error) {
      answers.reject(error);
    }
    offered = answer || suggestion;
  }
};

/** Shows findings as they come; returns the first failure. */
const showAll = async (
  answers: Answers,
  findings: AsyncIterable<Finding> | Iterable<Finding>,
): Promise<Failure | undefined> => {
  let failure: Failure | undefined;
  for await (const finding of findings) {
    answers.show(finding);
    failure ??= finding.status === 'FAIL' ? finding : undefined;
  }
  return failure;
};

/** Asks for the address, and for a certificate file if the TLS check fails. */
const askAddress = ({answers, suggestions, io}: AskInput): Promise<Pick<NewContext, 'baseUrl' | 'caFile'>> => {
  let {caFile} = suggestions;
  return askUntil(
    answers,
    'Address of the service, such as https://api.example.com/dev-v1',
    suggestions.baseUrl,
    async answer => {
      const {baseUrl, warnings} = parseBaseUrl(answer, 'address');
      for (const words of warnings) {
        answers.show(found.warn('address', words, 'correct it, unless you mean it'));
      }
      const check = (): Promise<Failure | undefined> => {
        const path = caFile && expandPath(caFile, resolve(), io.homeFolder, 'certificate file');
        return showAll(answers, checkNetwork({baseUrl, caFile: path, proxy: undefined}, io.env, io.clock.nowMs()));
      };
      let failure = await check();
      if (failure?.subject === 'TLS') {
        caFile = (await answers.ask('File of its certificate authority, PEM (empty for none)', caFile)) || undefined;
        failure = caFile === undefined ? failure : await check();
      }
      if (failure) {
        throw new AnswerRejected(tryAgain, failure.exitCode);
      }
      return {baseUrl, caFile: caFile && storedPath(caFile)};
    },
  );
};

type Access = Pick<NewContext, 'tenant' | 'authMode' | 'tokenFile'>;

/** Asks for what authorises: the tenant, the auth mode and the token's file. */
const askAccess = async (
  {answers, io}: AskInput,
  suggestions: {readonly [Key in keyof Access]?: string | undefined},
): Promise<Access> => {
  const tenant = await askUntil(answers, 'Tenant, the id of your organisation', suggestions.tenant, answer =>
    checkHeaderValue(answer, 'tenant'),
  );
  const authMode = await askUntil(answers, 'Auth mode that the service expects', suggestions.authMode, answer =>
    checkHeaderValue(answer, 'auth mode'),
  );
  const question = 'File with the token, readable only by you';
  const tokenFile = await askUntil(answers, question, suggestions.tokenFile, async answer => {
    if (answer === '') {
      throw new ConfigError('token file: expected the path of a file');
    }
    const path = expandPath(answer, resolve(), io.homeFolder, 'token file');
    const token = createTokenProvider({kind: 'file', path}, {env: io.env, nowMs: io.clock.nowMs});
    const failure = await showAll(answers, await checkToken(token, io.clock.nowMs()));
    if (failure) {
      throw new AnswerRejected(tryAgain, failure.exitCode);
    }
    return storedPath(answer);
  });
  return {tenant, authMode, tokenFile};
};

/** Relative paths in the config file start at its folder, those typed at the working folder. */
const storedPath = (typed: string): string => (typed.startsWith('~/') ? typed : resolve(typed));

/** Lists the branches of the site and reads a log, as doctor does. Only a failing list rejects the answers. */
const checkSite = async (
  {answers, io, signal}: AskInput,
  context: Omit<NewContext, 'name'>,
): Promise<Failure | undefined> => {
  const expand = (path: string): string => expandPath(path, resolve(), io.homeFolder, '');
  const {baseUrl, tenant, authMode, tokenFile = '', caFile, sites} = context;
  const connected: ContextSettings = {
    name: serviceAddress(baseUrl).name,
    baseUrl,
    tenant,
    authMode,
    token: {kind: 'file', path: expand(tokenFile)},
    proxy: undefined,
    caFile: caFile && expand(caFile),
    window: undefined,
    sources: undefined,
    sites,
  };
  const client = connect({context: connected}, io, () => {});
  try {
    const findings = checkService(client, connected, {clock: io.clock, signal, isExpired: false});
    const failure = await showAll(answers, findings);
    return failure?.subject.startsWith('site ') ? failure : undefined;
  } finally {
    client.close();
  }
};
