/** Names the fields of an object that differ: its name, its category, its place. */

type Values = Readonly<Record<string, unknown>>;

/** The words for each key; keys with the same words are named once. */
const WORDS: Readonly<Record<string, string>> = {
  label: 'nome',
  name: 'nome',
  floorName: 'nome',
  displayLabel: 'nome mostrato',
  floorDisplayName: 'nome mostrato',
  text: 'testo',
  categoryKey: 'categoria',
  zone: 'zona',
  entrance: 'varco',
  capacity: 'capienza',
  minOccupancy: 'capienza',
  bookAsAWhole: 'come si vende',
  variableOccupancy: 'come si vende',
  accessible: 'accessibilità',
  color: 'colore',
  fillColor: 'colore',
  textColor: 'colore',
  iconColor: 'colore',
  center: 'posizione',
  topLeft: 'posizione',
  points: 'forma',
  cornerRadius: 'forma',
  smooth: 'forma',
  curve: 'curva',
  chairSpacing: 'distanza tra i posti',
  width: 'misure',
  height: 'misure',
  radius: 'misure',
  radius1: 'misure',
  radius2: 'misure',
  fontSize: 'misure',
  iconSize: 'misure',
  rotationAngle: 'inclinazione',
  labelRotationAngle: 'inclinazione del nome',
  labelSize: 'grandezza del nome',
  rowLabelPosition: 'etichetta della fila',
  displayObjectType: 'come si chiama',
  seatLabeling: 'numerazione',
  objectLabeling: 'numerazione',
  href: 'immagine',
  iconType: 'simbolo',
  focalPoint: 'punto focale',
  x_focalHeight: 'altezza del punto focale',
  backgroundImage: 'sfondo da ricalcare',
  x_guides: 'guide',
  x_height: 'altezza',
  x_seating: 'posti fissi o mobili',
  x_followsSeats: 'forma',
  x_layer: 'livello',
  x_locked: 'blocco',
  x_hidden: 'visibilità',
  x_group: 'gruppo',
  x_tier: 'ordine',
  x_kind: 'tipo',
  type: 'tipo',
  venueType: 'tipo',
  x_cmPerUnit: 'scala',
  x_licensedCapacity: 'capienza autorizzata',
};
/** Keys whose values are short enough to be shown before and after. */
const TOLD = new Set(['label', 'name', 'floorName', 'displayLabel', 'text', 'entrance']);
const MOST_TOLD = 40;

/** Compares values by their JSON text. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MOST_TOLD;
}

/** For example «nome da «A» a «B», colore»; a key without words of ours counts as a detail. */
export function tellAspects(before: Values, after: Values): string {
  const told = new Map<string, string>();
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    // Other differences report seats and contents.
    if (key === 'seats' || key === 'subChart' || isSame(old ?? null, now ?? null)) continue;
    const word = WORDS[key] ?? 'dettagli';
    const isTold = TOLD.has(key) && isShort(old) && isShort(now);
    if (isTold) told.set(word, `${word} da «${old}» a «${now}»`);
    else if (!told.has(word)) told.set(word, word);
  }
  return [...told.values()].join(', ') || 'dettagli';
}
