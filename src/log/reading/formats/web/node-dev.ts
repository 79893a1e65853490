import {anyForm, type Format, group} from '../../form.ts';

const {status, took, method, path} = group;

/** Requests as Next.js, Koa and Hono report them. */
export const nodeDev: Format = {
  starts: /[ -]/,
  hint: text => text.startsWith(' ') || text.startsWith('--> '),
  forms: [
    // ` GET /cart 500 in 34ms (compile: 5ms)`, `  --> GET /cart 500 34ms 12b`
    anyForm` {0,3}(?:--> )?${method} ${path} ${status} (?:in )?${took}(?: (?<b1>\S{1,16}|\(.{1,80}\)))?`,
  ],
};
