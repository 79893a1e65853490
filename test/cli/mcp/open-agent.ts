import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {type CallToolResult, CallToolResultSchema, JSONRPCMessageSchema} from '@modelcontextprotocol/sdk/types.js';
import {z} from 'zod';
import {type CommandOptions, startCommand} from '../run-command.ts';

/** What every answer has, and what some have. */
export const answerSchema = z.looseObject({
  asOf: z.string(),
  basis: z.string(),
  proof: z.string().nullable(),
  gaps: z.number().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  leftOut: z.array(
    z.object({
      what: z.string(),
      count: z.number(),
      call: z.object({tool: z.string(), arguments: z.record(z.string(), z.unknown())}),
    }),
  ),
  next: z.array(
    z.object({
      what: z.string(),
      call: z.object({tool: z.string(), arguments: z.record(z.string(), z.unknown())}),
    }),
  ),
  verdict: z.looseObject({verdict: z.string(), text: z.string(), why: z.string().nullable()}).optional(),
  lines: z.looseObject({matched: z.number(), shown: z.number(), from: z.string().nullable()}).optional(),
  foreign: z.object({
    notice: z.string(),
    remarks: z.array(z.string()),
    records: z.array(z.record(z.string(), z.unknown())),
  }),
});

export type Agent = {
  readonly client: Client;
  call(tool: string, given?: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult>;
  /** Calls a tool, and returns its answer with its text and the bytes of both. */
  ask(
    tool: string,
    given?: Record<string, unknown>,
  ): Promise<z.infer<typeof answerSchema> & {readonly text: string; readonly bytes: number}>;
  /** Closes the standard input, and returns the exit code. */
  end(): Promise<number>;
  stderr(): string;
};

export const textOf = ({content}: CallToolResult): string =>
  content.map(part => (part.type === 'text' ? part.text : '')).join('');

/** Starts `branchlog mcp` in this process, with the SDK's own client at its streams. */
export const openAgent = async (flags: readonly string[], options: CommandOptions = {}): Promise<Agent> => {
  let wake = (): void => {};
  let isOpen = true;
  const sent: string[] = [];
  const input = async function* (): AsyncGenerator<Buffer> {
    while (isOpen || sent.length > 0) {
      const row = sent.shift();
      if (row !== undefined) {
        yield Buffer.from(row);
      } else {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
  };
  let rest = '';
  const transport: Transport = {
    start: async () => {},
    send: async message => {
      sent.push(`${JSON.stringify(message)}\n`);
      wake();
    },
    close: async () => {},
  };
  const command = startCommand(['mcp', ...flags], {
    ...options,
    stdin: input(),
    onStdout: text => {
      const rows = `${rest}${text}`.split('\n');
      rest = rows.pop() ?? '';
      for (const row of rows) {
        transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(row)));
      }
    },
  });
  const client = new Client({name: 'test', version: '1'});
  await client.connect(transport);
  // From then on the client checks each answer by the schema of its tool.
  await client.listTools();
  const call = async (tool: string, given: Record<string, unknown> = {}, signal?: AbortSignal) =>
    CallToolResultSchema.parse(
      await client.callTool({name: tool, arguments: given}, undefined, signal === undefined ? {} : {signal}),
    );
  return {
    client,
    call,
    ask: async (tool, given) => {
      const result = await call(tool, given);
      const text = textOf(result);
      if (result.isError) {
        throw new Error(text);
      }
      return {
        ...answerSchema.parse(result.structuredContent),
        ...{text, bytes: Buffer.byteLength(JSON.stringify(result))},
      };
    },
    end: () => {
      isOpen = false;
      wake();
      return command.code;
    },
    stderr: command.stderr,
  };
};
