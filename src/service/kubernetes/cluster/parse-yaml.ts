import {parseDocument} from 'yaml';

/**
 * Parses YAML: faults are listed in the document, not thrown. In a file of its own, to be loaded only where a
 * kubeconfig is read: the bundle gives a package that is loaded by itself no named exports.
 */
export const parseYaml = (text: string) => parseDocument(text, {logLevel: 'silent', prettyErrors: true});
