import {listField, tableField, textField, textsField} from '#service/link/object-fields.ts';
import type {Labels} from './label-selector.ts';

/** What is needed of an Ingress: under which name the outside reaches which services. */
export type Ingress = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly name: string;
  readonly labels: Labels;
  readonly hosts: readonly string[];
  readonly services: ReadonlySet<string>;
  /** Hostname or address of the load balancer. */
  readonly address: string | undefined;
};

/** Returns undefined for an object that is not an Ingress. */
export const decodeIngress = (object: unknown): Ingress | undefined => {
  const metadata = tableField(object, 'metadata');
  const spec = tableField(object, 'spec');
  const [uid, name] = [textField(metadata, 'uid'), textField(metadata, 'name')];
  if (uid === undefined || name === undefined) {
    return undefined;
  }
  const rules = listField(spec, 'rules');
  const paths = rules.flatMap(rule => listField(tableField(rule, 'http'), 'paths'));
  const backends = [tableField(spec, 'defaultBackend'), ...paths.map(path => tableField(path, 'backend'))];
  const [balancer] = listField(tableField(tableField(object, 'status'), 'loadBalancer'), 'ingress');
  return {
    uid,
    resourceVersion: textField(metadata, 'resourceVersion') ?? '',
    name,
    labels: textsField(metadata, 'labels'),
    // `*.example.com` is a pattern, not a name that can be opened.
    hosts: rules.flatMap(rule => textField(rule, 'host') ?? []).filter(host => !host.startsWith('*')),
    services: new Set(backends.flatMap(backend => textField(tableField(backend, 'service'), 'name') ?? [])),
    address: textField(balancer, 'hostname') ?? textField(balancer, 'ip'),
  };
};
