/**
 * How many tickets of a sector were given for nothing, against the part of its places for which
 * gifts bear no VAT (RULES L10).
 */
import { formatEuro } from '#server/domain/price/money.ts';
import {
  followCategories,
  typesInCategory,
  type CategoryName,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { splitVat } from './vat.ts';

/** A category that is in no named sector is a sector of its own. */
export interface GiftTerms {
  sectors: { name: string; categories: string[] }[];
  /** Keys of ticket types whose free tickets do not count. */
  not_counted: string[];
}

/** Null: each category is a sector, and every free ticket counts. */
export function giftTermsOf({ gift_terms }: { gift_terms: string | null }): GiftTerms | null {
  return gift_terms === null ? null : (JSON.parse(gift_terms) as GiftTerms);
}

/** Moves sectors to the new labels of their categories. Null: nothing changes. */
export function followSectors(
  terms: GiftTerms | null,
  labels: { before: readonly CategoryName[]; now: readonly CategoryName[] },
): GiftTerms | null {
  if (terms === null) return null;
  const sectors = terms.sectors.map((sector) => {
    const entries = sector.categories.map((category) => ({ category, ticketTypes: [] }));
    const followed = followCategories(entries, labels);
    return followed === null
      ? sector
      : { ...sector, categories: followed.map(({ category }) => category) };
  });
  const isSame = sectors.every((sector, at) => sector === terms.sectors[at]);
  return isSame ? null : { ...terms, sectors };
}

/** Per cent of a sector's places (DPR 633/72 art. 3 c. 5 a). */
const freePercent = 5;
/** Per cent of the allowed gifts from which on the meter warns. */
const nearPercent = 80;

export interface GiftSector {
  name: string;
  /** Labels of the chart's categories. */
  categories: string[];
  places: number;
  allowed: number;
  given: number;
  /** The highest list price, without the presale fee; null: not known now. */
  highest_cents: number | null;
}

interface HallCategory {
  category: string;
  category_key: string;
  places: number;
}

interface GiftFacts {
  terms: GiftTerms | null;
  hall: readonly HallCategory[];
  /** Valid tickets that cost nothing. */
  free: readonly { category: string; ticket_type: string; tickets: number }[];
  /** Null: not known now. */
  pricing: readonly PricedCategory[] | null;
}

/** The sectors in which tickets are sold for money, in the order of the hall. */
export function giftSectors({ terms, hall, free, pricing }: GiftFacts): GiftSector[] {
  const counted = free.filter(({ ticket_type }) => isCounted(terms, ticket_type));
  const names = new Set(hall.map((one) => sectorOf(terms, one)));
  return [...names].flatMap((name) => {
    const parts = hall.filter((one) => sectorOf(terms, one) === name);
    const categories = parts.map(({ category }) => category);
    const places = parts.reduce((sum, part) => sum + part.places, 0);
    const highest_cents =
      pricing && Math.max(0, ...parts.flatMap((part) => pricesIn(pricing, part)));
    if (highest_cents === 0) return [];
    const given = counted
      .filter(({ category }) => categories.includes(category))
      .reduce((sum, { tickets }) => sum + tickets, 0);
    const allowed = Math.floor((places * freePercent) / 100);
    return { name, categories, places, allowed, given, highest_cents };
  });
}

function isCounted(terms: GiftTerms | null, ticket_type: string): boolean {
  return !(terms?.not_counted.includes(ticket_type) ?? false);
}

function sectorOf(terms: GiftTerms | null, { category, category_key }: HallCategory): string {
  const named = terms?.sectors.find(
    ({ categories }) => categories.includes(category) || categories.includes(category_key),
  );
  return named?.name ?? category;
}

function pricesIn(
  pricing: readonly PricedCategory[],
  { category: label, category_key: key }: HallCategory,
): number[] {
  return typesInCategory(pricing, { key, label }).map(({ unit_amount }) => unit_amount);
}

type Count = Pick<GiftSector, 'name' | 'places' | 'allowed' | 'given' | 'highest_cents'>;
export type GiftLevel = 'fine' | 'near' | 'past';

export function giftLevel({ given, allowed }: Pick<Count, 'given' | 'allowed'>): GiftLevel {
  if (given > allowed) return 'past';
  return given > 0 && given * 100 >= allowed * nearPercent ? 'near' : 'fine';
}

/** "Omaggi in Platea: 9 di 12 (5 % di 240)"; `withThese`: a sale that is not made yet counts. */
export function giftWords(
  { name, places, allowed, given }: Count,
  { withThese = false }: { withThese?: boolean } = {},
): string {
  const share = `${freePercent}\u00a0% di ${places}`;
  const these = withThese ? ', compresi questi' : '';
  return `Omaggi in ${isolate(name)}${these}: ${given} di ${allowed} (${share})`;
}

/** What gifts past the allowed ones cost; null: nothing to say. */
export function giftWarning(sector: Count, vat_percent: number | null): string | null {
  const { given, allowed, highest_cents } = sector;
  const level = giftLevel(sector);
  if (level === 'fine' || vat_percent === null) return null;
  if (level === 'near') return 'Quasi al limite: oltre, su ogni omaggio si paga l’IVA.';
  const past = given - allowed;
  const over = past === 1 ? 'Uno oltre il limite' : `${past} oltre il limite`;
  if (highest_cents === null) return `${over}: si paga l’IVA sul prezzo intero più alto.`;
  const { vat_cents } = splitVat(highest_cents * past, vat_percent);
  const base = past === 1 ? 'nel prezzo' : `in ${past} volte il prezzo`;
  return `${over}: IVA da pagare ${formatEuro(vat_cents)} (${vat_percent}\u00a0% compreso ${base} intero più alto, ${formatEuro(highest_cents)}).`;
}
