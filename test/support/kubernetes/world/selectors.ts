import type {KubeLabels, KubeObject} from '../kube-object.ts';
import {badRequest} from '../kube-status.ts';

type LabelTest = (labels: KubeLabels) => boolean;

/** Splits at commas outside parentheses: `a=b,c in (d,e)`. */
const splitTerms = (selector: string): readonly string[] =>
  selector
    .split(/,(?![^(]*\))/)
    .map(term => term.trim())
    .filter(term => term !== '');

const labelTest = (term: string): LabelTest => {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(term);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map(value => value.trim()));
    return operator === 'in'
      ? labels => labels[key] !== undefined && values.has(labels[key])
      : labels => labels[key] === undefined || !values.has(labels[key]);
  }
  const equality = /^([^\s=!()]+)\s*(==|=|!=)\s*([^\s=!()]*)$/.exec(term);
  if (equality !== null) {
    const [, key = '', operator, value] = equality;
    return operator === '!=' ? labels => labels[key] !== value : labels => labels[key] === value;
  }
  const existence = /^(!?)\s*([A-Za-z0-9][\w./-]*)$/.exec(term);
  if (existence !== null) {
    const [, not, key = ''] = existence;
    return labels => (labels[key] !== undefined) !== (not === '!');
  }
  throw badRequest(`unable to parse requirement: found '${term}', expected: ',', ')' or identifier`);
};

/** Equality-based and set-based requirements, all of which must hold. */
export const parseLabelSelector = (selector: string): LabelTest => {
  const tests = splitTerms(selector).map(labelTest);
  return labels => tests.every(test => test(labels));
};

const fieldOf = (object: KubeObject, path: string): string | undefined => {
  switch (path) {
    case 'metadata.name':
      return object.metadata.name;
    case 'metadata.namespace':
      return object.metadata.namespace ?? '';
    case 'spec.nodeName':
      return String(object.spec?.nodeName ?? '');
    case 'status.phase':
      return String(object.status?.phase ?? '');
    default:
      return undefined;
  }
};

/** Selects by the fields that the API server indexes for the objects here; others are refused as there. */
export const parseFieldSelector = (selector: string): ((object: KubeObject) => boolean) => {
  const tests = splitTerms(selector).map(term => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
    if (match === null) {
      throw badRequest(`invalid field selector: ${term}`);
    }
    const [, path = '', operator, value] = match;
    return (object: KubeObject): boolean => {
      const field = fieldOf(object, path);
      if (field === undefined) {
        throw badRequest(`field label not supported: ${path}`);
      }
      return (field === value) === (operator !== '!=');
    };
  });
  return object => tests.every(test => test(object));
};
