import type {Branch} from '#api/client/answer.ts';
import {withoutIdWords} from '#app/choices/list-words.ts';
import {branchColumns} from '#app/lists/branch-columns.ts';
import {type CommandInput, flagValue} from '#cli/arguments/args.ts';
import {explainSiteError, resolveSiteId} from '#cli/connection/choose-branches.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {formatTable} from '#cli/io/format.ts';
import {saySkipped} from '#cli/io/output.ts';
import {printTheme} from '#cli/logs/line-text.ts';
import {openService} from '#cli/open/open-service.ts';
import {formatList} from './format-list.ts';

const columns = branchColumns.flatMap(({title, printed}) => (printed ? [{title, printed}] : []));

/** In the order in which an unknown one is answered. */
const summaryFields = ['id', 'name', 'status', 'type', 'hostname', 'updatedAt', 'troubles', 'malformed'];

/**
 * The fields that a script needs, under our own names; null for what the service does not send. Where null stands for a
 * malformed field, `malformed` has its path.
 */
export const toSummary = (branch: Branch) => ({
  id: branch._id,
  name: branch.malformed.includes('name') ? null : branch.name,
  status: branch.status ?? null,
  type: branch.branchType ?? null,
  hostname: branch.hostname ?? null,
  updatedAt: branch.updatedAt ?? null,
  ...(branch.troubles.length > 0 && {troubles: branch.troubles}),
  ...(branch.malformed.length > 0 && {malformed: branch.malformed}),
});

/** Runs `branchlog branches SITE`. Secrets in `--full` records mask themselves when printed. */
export const runBranches = async (input: CommandInput): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  const {service, ui, client} = await openService(input);
  const {sites} = service;
  // With --kube it may be left out: then the one site is the namespace of the context.
  const siteWord = parsed.operands[0] ?? sites[0]?.id ?? '';
  const siteId = resolveSiteId(sites, siteWord);
  const deployedOnly = parsed.switches.has('deployed');
  const full = parsed.switches.has('full');
  if (full && (flagValue(parsed, 'format') ?? 'table') === 'table') {
    say('--full has no effect on a table: add --format json');
  }
  try {
    const listing = deployedOnly ? client.listDeployedBranches(siteId, signal) : client.listBranches(siteId, signal);
    const answer = await listing.catch((error: unknown) => {
      throw explainSiteError(error, sites, siteWord);
    });
    saySkipped(answer.skipped, say);
    if (answer.withoutId) {
      say(`${withoutIdWords(answer.withoutId)} and can't be listed`);
    }
    const branches = answer.value;
    if (branches.length === 0) {
      say(`site ${siteWord} has no ${deployedOnly ? 'deployed ' : ''}branches`);
    }
    const list = formatList(parsed, {
      records: branches.map(branch => (full ? branch.record : toSummary(branch))),
      ...(!full && {fields: summaryFields}),
      formatTable: () => {
        const built = branches.filter(({status}) => status !== null);
        const notBuilt = branches.filter(({status}) => status === null);
        const rows = [...built, ...notBuilt].map(branch => columns.map(({printed}) => printed(branch)));
        const head = columns.map(({title}) => title);
        return formatTable(head, rows, printTheme(io, ui.theme));
      },
    });
    await output.write(list, signal);
    return exitCodes.done;
  } finally {
    client.close();
  }
};
