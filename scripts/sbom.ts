/** The list of everything that the packages have in them or were built with, as CycloneDX 1.5. */
import {createHash} from 'node:crypto';

type Component = {readonly 'bom-ref': string; readonly name: string; readonly scope?: string};
type Bom = {
  readonly serialNumber: string;
  readonly metadata: {readonly timestamp: string; readonly component: object};
  readonly components: readonly Component[];
};

/** A UUID of a text, with the version of those that are made by SHA-1 (RFC 9562, section 5.5). */
const uuidOf = (text: string): string => {
  const hex = createHash('sha1').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};

/**
 * Turns the list that npm writes of a checkout into one of the program: what ships is `required`, what only builds or
 * tests is `excluded`, and the same input gives the same bytes. `shipped` names packages as `name@version`, `changed`
 * says what the build changes of some of them.
 */
export const formatSbom = (
  npmSbom: string,
  {
    shipped,
    changed,
    epochSeconds,
  }: {
    readonly shipped: ReadonlySet<string>;
    readonly changed: Readonly<Record<string, string>>;
    readonly epochSeconds: number;
  },
): string => {
  const bom = JSON.parse(npmSbom) as Bom;
  const components = bom.components.map(component => {
    const notes = shipped.has(component['bom-ref']) ? changed[component.name] : undefined;
    return {
      ...component,
      scope: shipped.has(component['bom-ref']) ? 'required' : 'excluded',
      ...(notes !== undefined && {pedigree: {notes: `Changed by the build: ${notes}.`}}),
    };
  });
  const found = new Set(components.map(component => component['bom-ref']));
  const missing = [...shipped].filter(name => !found.has(name));
  if (missing.length > 0) {
    throw new Error(`not in the list of npm: ${missing.join(', ')}`);
  }
  const metadata = {
    ...bom.metadata,
    // npm, in the version of whoever builds.
    tools: undefined,
    timestamp: new Date(epochSeconds * 1000).toISOString(),
    // npm names the program after the folder of the checkout.
    component: {...bom.metadata.component, name: 'branchlog'},
  };
  const whole = {...bom, serialNumber: '', metadata, components};
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(whole))}`;
  return `${JSON.stringify({...whole, serialNumber}, undefined, 2)}\n`;
};
