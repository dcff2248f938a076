/** Price rules in Italian: one sentence for the office, and the reason that a buyer reads. */
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { tooLittle } from './least-online.ts';
import { formatEuro } from './money.ts';
import {
  isOpenedRule,
  isUsing,
  type AddingRule,
  type EveryRule,
  type GroupRule,
  type PackageRule,
  type PriceRule,
  type RuleScope,
  type SaleChannel,
} from './rule.ts';
import { ruleBounds } from './rule-check.ts';
import { lastDayOf } from './typed-rule.ts';

/** The label of each ticket type by its name in orders; a type that is not there is its own. */
export type TypeLabels = ReadonlyMap<string, string>;

/** "Ogni 3 Interi in Platea, 1 gratis (il meno caro), solo online, fino al 20/12/2026." */
export function ruleSentence(rule: PriceRule, labels: TypeLabels): string {
  return `${[...coreOf(rule, labels), ...limitsOf(rule)].join(', ')}${companionOf(rule)}.`;
}

/** "3x2: il meno caro è gratis"; `price_cents`: what the ticket costs by the rule. */
export function reasonWords(rule: PriceRule, price_cents: number): string {
  return `${rule.name}: ${whyWords(rule, price_cents)}`;
}

/** The words of a reason that a line has; null: its rule is not among these. */
export function wordsOfReason(
  rules: readonly PriceRule[],
  { rule_id }: { rule_id: string },
  price_cents: number,
): string | null {
  if (rule_id === tooLittle.id) return tooLittle.name;
  const rule = rules.find(({ id }) => id === rule_id);
  return rule === undefined ? null : reasonWords(rule, price_cents);
}

function coreOf(rule: PriceRule, labels: TypeLabels): string[] {
  if (rule.kind === 'every') return coreOfEvery(rule, labels);
  if (rule.kind === 'package') return [coreOfPackage(rule, labels)];
  return rule.kind === 'group' ? coreOfGroup(rule, labels) : coreOfAdding(rule, labels);
}

/** "10 % in meno per Interi in Platea con il codice". */
function coreOfAdding(rule: AddingRule, labels: TypeLabels): string[] {
  const { kind, percent, scope } = rule;
  const off = percent === null ? `${lessWords(rule)} a biglietto` : lessWords(rule);
  const who = scope.ticket_types === null ? '' : ` per ${sayTypes(scope.ticket_types, labels)}`;
  const how = kind === 'code' ? ' con il codice' : ', mostrando la tessera';
  return [`${off}${who}${placeOf(scope)}${how}`];
}

/** "10 % in meno", "3,00 € in meno". */
export function lessWords({ percent, off_cents }: Pick<AddingRule, 'percent' | 'off_cents'>) {
  return `${percent === null ? formatEuro(off_cents ?? 0) : sayPercent(percent)} in meno`;
}

function coreOfEvery(rule: EveryRule, labels: TypeLabels): string[] {
  const { n, k, price_cents, grouped, spread } = rule;
  const cheapest = k === 1 ? 'il meno caro' : 'i meno cari';
  const which = grouped === 'cheapest' ? cheapest : `${cheapest} di ogni ${n}`;
  const alone = k === 1 ? 'sconto tutto su quel biglietto' : 'sconto tutto su quei biglietti';
  return [
    `Ogni ${ticketsOf(n, rule.scope, labels)}`,
    `${k} ${price_cents === 0 ? 'gratis' : `a ${formatEuro(price_cents)}`} (${which})`,
    ...(spread ? [] : [alone]),
  ];
}

function coreOfPackage({ parts, price_cents, scope }: PackageRule, labels: TypeLabels): string {
  const kinds = parts.map(({ count, ticket_types }) => countTypes(count, ticket_types, labels));
  return `${kinds.join(' + ')}${placeOf(scope)} a ${formatEuro(price_cents)} insieme`;
}

function coreOfGroup(rule: GroupRule, labels: TypeLabels): string[] {
  const { from_places, percent, price_cents, scope } = rule;
  const who =
    scope.ticket_types === null
      ? `${from_places} posti${placeOf(scope)}`
      : ticketsOf(from_places, scope, labels);
  return [`Da ${who}`, percent === null ? each(price_cents) : `${sayPercent(percent)} in meno`];
}

function companionOf(rule: PriceRule): string {
  if (rule.kind !== 'group' || rule.free_every === null) return '';
  const paying = rule.free_every === 1 ? 'per ogni pagante' : `ogni ${rule.free_every} paganti`;
  return `; un accompagnatore gratis ${paying}`;
}

function each(cents: number | null): string {
  return `${formatEuro(cents)} l’uno`;
}

function sayPercent(percent: number): string {
  return `${percent}\u00a0%`;
}

const channelWords: Record<SaleChannel, string> = {
  site: 'solo online',
  till: 'solo alla cassa',
};

function limitsOf(rule: PriceRule): string[] {
  const { channels, from, until } = rule.scope;
  const [only, ...others] = channels ?? [];
  return [
    ...(rule.kind === 'every' && rule.least_cents !== null
      ? [`da ${formatEuro(rule.least_cents)} di biglietti in su`]
      : []),
    ...(rule.kind === 'every' || rule.kind === 'package' ? timesOf(rule.most) : []),
    ...(isUsing(rule) && isOpenedRule(rule) ? ['solo con un codice'] : []),
    ...(only === undefined || others.length > 0 ? [] : [channelWords[only]]),
    ...(from === null ? [] : [`dal ${sayDay(dayText(romeDay(from)))}`]),
    ...(until === null ? [] : [`fino al ${sayDay(lastDayOf(until))}`]),
    ...(rule.meets ? ['si somma alle altre riduzioni'] : []),
  ];
}

/** The most that the house can say is no limit of its own. */
function timesOf(most: number): string[] {
  if (most >= ruleBounds.most.max) return [];
  return [most === 1 ? 'una volta sola per acquisto' : `al massimo ${most} volte per acquisto`];
}

function sayDay(day: string): string {
  const [year, month, date] = day.split('-');
  return `${Number(date)}/${Number(month)}/${year}`;
}

/** "3 Interi in Platea o Palchi", "3 biglietti". */
function ticketsOf(count: number, scope: RuleScope, labels: TypeLabels): string {
  const { ticket_types } = scope;
  const what =
    ticket_types === null ? `${count} biglietti` : countTypes(count, ticket_types, labels);
  return `${what}${placeOf(scope)}`;
}

function placeOf({ categories }: RuleScope): string {
  return categories === null ? '' : ` in ${orList(categories)}`;
}

/** "2 Interi", "1 Intero", "2 Interi o Ridotti", "2 biglietti «Under 26»". */
function countTypes(count: number, types: readonly string[], labels: TypeLabels): string {
  if (count > 1) return `${count} ${sayTypes(types, labels)}`;
  return `1 ${orList(types.map((type) => labels.get(type) ?? type))}`;
}

/** "Interi o Ridotti", "biglietti «Under 26»". */
function sayTypes(types: readonly string[], labels: TypeLabels): string {
  const names = types.map((type) => labels.get(type) ?? type);
  const plain = names.map(pluralOf);
  if (plain.every((name) => name !== null)) return orList(plain);
  return `biglietti ${orList(names.map((name) => `«${name}»`))}`;
}

/** The plural of one plain word; null: it is not known. */
function pluralOf(label: string): string | null {
  if (!/^\p{L}+$/u.test(label)) return null;
  if (label.endsWith('i')) return label;
  if (label.endsWith('io')) return label.slice(0, -1);
  if (/(?:nte|[^cg]o)$/.test(label)) return `${label.slice(0, -1)}i`;
  return null;
}

function orList(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} o ${last}`;
}

/** The same without the rule's name. */
export function whyWords(rule: PriceRule, price_cents: number): string {
  if (rule.kind === 'every') {
    const { k, price_cents: reduced } = rule;
    if (reduced > 0)
      return `${k === 1 ? 'il meno caro' : `i ${k} meno cari`} a ${formatEuro(reduced)}`;
    return k === 1 ? 'il meno caro è gratis' : `i ${k} meno cari sono gratis`;
  }
  if (rule.kind === 'package') return `insieme a ${formatEuro(rule.price_cents)}`;
  if (rule.kind !== 'group')
    return `${lessWords(rule)}${rule.kind === 'convention' ? ', mostra la tessera' : ''}`;
  if (price_cents === 0 && rule.free_every !== null) return 'accompagnatore gratis';
  return rule.percent === null ? each(rule.price_cents) : `${sayPercent(rule.percent)} in meno`;
}
