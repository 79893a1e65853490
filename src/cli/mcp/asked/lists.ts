import {z} from 'zod';
import type {CommandInput} from '#cli/arguments/args.ts';
import {toSummary} from '#cli/commands/branches.ts';
import {runDoctor} from '#cli/commands/doctor.ts';
import {resolveSiteId} from '#cli/connection/choose-branches.ts';
import {hasConfigFile, readPreferences} from '#cli/connection/read-settings.ts';
import {NotFoundError} from '#cli/io/exit-codes.ts';
import {chosenEngine} from '#cli/open/chosen-engine.ts';
import {openService} from '#cli/open/open-service.ts';
import type {Answer} from '../answer.ts';
import {listFiles} from '../files.ts';
import {type Asked, callOf, isoOf, moreBytes, noLog, shorterLists, type Toolbox, withInput} from '../held-logs.ts';

export async function listSites(
  _: object,
  {server, folders}: Toolbox,
  {signal, bytesMax}: Asked,
): Promise<Iterable<Answer>> {
  const remarks: string[] = [];
  const {io} = server;
  const own = {parsed: {...server.parsed, operands: []}, say: (words: string) => remarks.push(words), signal};
  const sites = hasFoldersOnly({server, folders})
    ? []
    : await withInput(server, own, async input => {
        const {client, service} = await openSites(input);
        client.close();
        return service.sites;
      });
  const records = [
    ...sites.map(({id, name}) => ({id, name: name ?? null})),
    ...folders.map(folder => ({id: folder, name: null, kind: 'folder'})),
  ];
  const facts = {...noLog, asOf: isoOf(io.clock.nowMs()), remarks};
  const [first] = records;
  const next = first ? [{what: 'its branches, or files', call: callOf('list_branches', {site: first.id})}] : [];
  return shorterLists(records, facts, {
    what: 'sites',
    call: callOf('list_sites', {maxBytes: moreBytes(bytesMax)}),
    next,
  });
}

const hasFoldersOnly = ({server: {parsed, io}, folders}: Pick<Toolbox, 'server' | 'folders'>): boolean => {
  const isService = chosenEngine(parsed) === undefined && !parsed.switches.has('kube');
  return isService && folders.length > 0 && !hasConfigFile(parsed, io) && !io.env.BRANCHLOG_BASE_URL;
};

/** Opens the service, the cluster or the engine of the command line. */
const openSites = async (input: CommandInput): ReturnType<typeof openService> => {
  const engine = chosenEngine(input.parsed);
  if (engine === undefined) {
    return openService(input);
  }
  const {openEngine} = await import('#cli/open/open-engine.ts');
  const {log, ui} = await readPreferences(input.parsed, input.io);
  const reading = {bufferMb: log.bufferMb, firstRead: undefined, isOneLog: false};
  const opened = await openEngine(engine, [], reading, {io: input.io, warn: input.say});
  input.atEnd(opened.stop);
  return {...opened, log, ui};
};

export async function listBranches(
  {site}: {readonly site: string},
  {server, folders}: Toolbox,
  {signal, bytesMax}: Asked,
): Promise<Iterable<Answer>> {
  const facts = {...noLog, asOf: isoOf(server.io.clock.nowMs())};
  const call = callOf('list_branches', {site, maxBytes: moreBytes(bytesMax)});
  if (folders.includes(site)) {
    const {files, isCut} = await listFiles(site, signal);
    const remarks = isCut ? ['there are more files, or some further down: name one that you know of'] : [];
    return shorterLists(files, {...facts, remarks}, {what: 'files', call});
  }
  if (hasFoldersOnly({server, folders})) {
    throw new NotFoundError(`only folders are configured: ${folders.join(', ')}`);
  }
  const remarks: string[] = [];
  const own = {parsed: {...server.parsed, operands: [site]}, say: (words: string) => remarks.push(words), signal};
  const branches = await withInput(server, own, async input => {
    const {client, service} = await openSites(input);
    try {
      return (await client.listBranches(resolveSiteId(service.sites, site), signal)).value;
    } finally {
      client.close();
    }
  });
  const built = branches.filter(({status}) => status !== null);
  const records = [...built, ...branches.filter(branch => !built.includes(branch))].map(toSummary);
  const first = built[0]?.name;
  const next =
    first === undefined ? [] : [{what: 'what is wrong there', call: callOf('incident', {site, branch: first})}];
  return shorterLists(records, {...facts, remarks}, {what: 'branches', call, next});
}

const findings = z.looseObject({});

export async function examine(_: object, {server}: Toolbox, {signal, bytesMax}: Asked): Promise<Iterable<Answer>> {
  const remarks: string[] = [];
  let text = '';
  const {values} = server.parsed;
  const parsed = {
    ...server.parsed,
    ...{command: 'doctor' as const, operands: []},
    values: new Map([...values].filter(([name]) => name !== 'files')).set('format', ['json']),
  };
  const output: CommandInput['output'] = {
    write: async piece => {
      text += String(piece);
    },
  };
  const own = {parsed, say: (words: string) => remarks.push(words), signal};
  await withInput({...server, output}, own, runDoctor);
  const facts = {...noLog, basis: 'checks that were made now', asOf: isoOf(server.io.clock.nowMs()), remarks};
  const call = callOf('doctor', {maxBytes: moreBytes(bytesMax)});
  return shorterLists(
    text
      .trimEnd()
      .split('\n')
      .map(row => findings.parse(JSON.parse(row))),
    facts,
    {what: 'checks', call},
  );
}
