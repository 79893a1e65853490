import {textField, textsField} from '#service/link/object-fields.ts';
import type {Labels} from './label-selector.ts';

/** What an object was installed with, together with others. */
export type InstalledRelease = {
  readonly name: string;
  /** The tool; undefined for a label that several tools set. */
  readonly tool: string | undefined;
};

type ReleaseMark = {
  readonly tool: string | undefined;
  readonly place: 'labels' | 'annotations';
  readonly key: string;
};

/**
 * Where tools write the name of a release, the most certain first. From the documents of Argo CD (Resource Tracking:
 * the annotation is `APP:GROUP/KIND:NAMESPACE/NAME`), Flux (labels of its kustomize and helm controllers), Helm 3, and
 * Kubernetes (Recommended Labels).
 */
const marks: readonly ReleaseMark[] = [
  {tool: 'Argo CD', place: 'labels', key: 'argocd.argoproj.io/instance'},
  {tool: 'Argo CD', place: 'annotations', key: 'argocd.argoproj.io/tracking-id'},
  {tool: 'Flux', place: 'labels', key: 'helm.toolkit.fluxcd.io/name'},
  {tool: 'Flux', place: 'labels', key: 'kustomize.toolkit.fluxcd.io/name'},
  {tool: 'Helm', place: 'annotations', key: 'meta.helm.sh/release-name'},
  {tool: undefined, place: 'labels', key: 'app.kubernetes.io/instance'},
];

/** Reads the marks of an object, by key, as if all were labels: those of Helm and Argo CD are annotations. */
export const readReleaseMarks = (metadata: unknown): Labels =>
  Object.fromEntries(
    marks.flatMap(({place, key}) => {
      const name = textField(textsField(metadata, place), key)?.split(':')[0] ?? '';
      return name === '' ? [] : [[key, name]];
    }),
  );

/** Reads from an object's metadata which release it is part of; undefined if it does not say. */
export const readRelease = (metadata: unknown): InstalledRelease | undefined => {
  const found = readReleaseMarks(metadata);
  const mark = marks.find(({key}) => Object.hasOwn(found, key));
  return mark && {name: found[mark.key] ?? '', tool: mark.tool};
};
