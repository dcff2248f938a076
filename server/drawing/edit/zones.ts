/**
 * Edits zones: parts of a house with a stage of their own, to which sections belong. Zones have
 * no outline.
 */
import type { Doc, Point, ZoneData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { isPoint, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { nextName } from './names.ts';
import { patched } from './targets.ts';

/** A free label, because zones are identified by their labels. */
function freeLabel({ zones }: Doc, wanted: string, own?: string): string {
  const taken = new Set(zones.filter(({ key }) => key !== own).map(({ label }) => label));
  let label = wanted.trim() || 'Zona 1';
  while (taken.has(label)) label = nextName(label);
  return label;
}

function isIn(selection: Selection) {
  return (id: string) => selection.items.has(id);
}

function putSections(draft: EditDraft, isWanted: (id: string) => boolean, zone?: string): number {
  let count = 0;
  for (const item of draft.doc.items.values()) {
    if (item.kind !== 'section' || !isWanted(item.id) || item.data.zone === zone) continue;
    draft.put(patched(item, { zone }));
    count += 1;
  }
  return count;
}

/** Adds a zone with the selected sections. */
export function addZone(doc: Doc, selection: Selection): Edit | null {
  const draft = new EditDraft(doc);
  const keys = new Set(doc.zones.map((zone) => String(zone.key)));
  let number = doc.zones.length + 1;
  while (keys.has(`zone-${number}`)) number += 1;
  const zone = { key: `zone-${number}`, label: freeLabel(doc, ''), focalPoint: null };
  draft.set('zones', [...doc.zones, zone]);
  if (doc.root.venueType !== 'WITH_ZONES')
    draft.set('root', { ...doc.root, venueType: 'WITH_ZONES' });
  putSections(draft, isIn(selection), zone.key);
  return draft.finish('add-zone', zone.label);
}

/** Puts the selected sections into a zone, or with null into none. */
export function putIntoZone(doc: Doc, selection: Selection, key: string | null): Edit | null {
  const zone = doc.zones.find((one) => one.key === key);
  if (key !== null && !zone) return null;
  const draft = new EditDraft(doc);
  const count = putSections(draft, isIn(selection), zone?.key);
  return draft.finish('into-zone', count);
}

export function changeZone(
  doc: Doc,
  key: string,
  patch: { label?: string; focalPoint?: Point | null },
): Edit | null {
  const { label, focalPoint } = patch;
  if (label?.trim() === '' || (focalPoint && !isPoint(focalPoint))) return null;
  const draft = new EditDraft(doc);
  const changed = (zone: ZoneData): ZoneData => ({
    ...zone,
    ...(label === undefined ? {} : { label: freeLabel(doc, label, key) }),
    ...(focalPoint === undefined ? {} : { focalPoint: focalPoint && roundedPoint(focalPoint) }),
  });
  draft.set(
    'zones',
    doc.zones.map((zone) => (zone.key === key ? changed(zone) : zone)),
  );
  return draft.finish('change-zone', label);
}

/**
 * Removes a zone; its sections then belong to none. A drawing without zones has only sections.
 */
export function removeZone(doc: Doc, key: string): Edit | null {
  const zone = doc.zones.find((one) => one.key === key);
  if (!zone) return null;
  const draft = new EditDraft(doc);
  const left = doc.zones.filter((one) => one !== zone);
  draft.set('zones', left);
  const isOfZone = (id: string) => {
    const item = doc.items.get(id);
    return item?.kind === 'section' && item.data.zone === key;
  };
  putSections(draft, isOfZone);
  if (left.length === 0 && doc.root.venueType === 'WITH_ZONES')
    draft.set('root', { ...doc.root, venueType: 'WITH_SECTIONS_AND_FLOORS' });
  return draft.finish('remove-zone', zone.label);
}
