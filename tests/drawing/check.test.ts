/** What the check of a drawing says to a theatre's technician: each fault in words, at its place; and it throws for nothing. */
import { assert, constantFrom, jsonValue, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { checkDrawing, checkText } from '#server/drawing/check/check.ts';
import { isUsable, printFinding } from '#server/drawing/check/findings.ts';
import { drawSalaDelleFeste } from '#server/standins/seatsio/draw/sala-delle-feste.ts';
import { drawSalaNera } from '#server/standins/seatsio/draw/sala-nera.ts';
import { printDense } from '#server/standins/seatsio/draw/print.ts';

/** A drawing that has every kind of object, loose enough to be spoilt. */
type Loose = { [key: string]: Loose } & Loose[] & { [key: string]: unknown };

function spoilt(spoil: (drawing: Loose) => void, draw: () => object = drawSalaNera): string[] {
  const drawing = JSON.parse(printDense(draw())) as Loose;
  spoil(drawing);
  return checkDrawing(drawing).map(printFinding);
}

function rowsOf(drawing: Loose, section = 0): Loose {
  return drawing.subChart!.sections![section]!.subChart!.rows!;
}

test('two seats of one name are named with their row', () => {
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[2]!.seats![11]!.label = '11' as never;
    }),
  ).toEqual(['Errore — Settore Fronte, fila C: due posti si chiamano «11».']);
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[2]!.label = 'B' as never;
    }),
  ).toEqual([
    'Errore — Settore Fronte, fila B: più di un posto si chiama «1», «2», «3», «4» e altri 8.',
  ]);
});

test('the same seat name in another row, and the same row name in another section, are no fault', () => {
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[0]!.label = 'Z' as never;
      rowsOf(drawing, 1)[0]!.label = 'Z' as never;
    }),
  ).toEqual([]);
});

test('a missing name is told, and the question mark counts as missing', () => {
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[0]!.seats![2]!.label = '?' as never;
      rowsOf(drawing)[1]!.label = null as never;
      drawing.subChart!.sections![1]!.label = '' as never;
    }),
  ).toEqual([
    'Errore — Settore Fronte, fila A: un posto senza nome (il 3°).',
    'Errore — Settore Fronte, fila senza nome: il nome manca.',
    'Errore — Settore senza nome: il nome manca.',
  ]);
});

test('a seat without a category, or with one that does not exist, is told', () => {
  expect(
    spoilt((drawing) => {
      drawing.subChart!.sections![1]!.categoryKey = null as never;
      rowsOf(drawing, 1)[0]!.seats!.forEach((seat) => {
        seat.categoryKey = 2 as never;
      });
      rowsOf(drawing, 1)[1]!.seats!.forEach((seat) => {
        seat.categoryKey = 9 as never;
      });
      rowsOf(drawing, 1)[2]!.seats!.forEach((seat, index) => {
        if (index > 1) seat.categoryKey = '2' as never;
      });
    }),
  ).toEqual([
    'Errore — Settore Lato sinistro, fila B: la categoria «9» non è nell’elenco delle categorie.',
    'Errore — Settore Lato sinistro, fila C: due posti senza categoria: «1» e «2».',
  ]);
});

test("categories are looked at: none, one twice, colours that are alike, faint or missing, and nobody's", () => {
  expect(
    spoilt((drawing) => {
      drawing.categories!.list = [] as never;
    })[0],
  ).toBe('Errore — Categorie: non ce n’è nessuna: senza categorie non si possono dare prezzi.');
  expect(
    spoilt((drawing) => {
      (drawing.categories!.list as unknown as object[]).push(
        { key: 2, label: 'Laterale', color: '#d8a030' },
        { key: 'x', label: 'Chiara', color: '#fefefe' },
        { key: 4, label: 'Strana', color: 'boh' },
      );
    }),
  ).toEqual([
    'Errore — Categorie: la chiave «2» c’è due volte.',
    'Avviso — Categorie: alcune chiavi sono numeri e altre testi: meglio tutte uguali.',
    'Avviso — Categorie: più categorie si chiamano «Laterale»: i prezzi non sapranno quale.',
    'Avviso — Categoria Chiara: il colore quasi non si vede su una pagina chiara.',
    'Avviso — Categoria Strana: il colore manca o non si legge: scrivilo come «#4f8ef7».',
    'Avviso — Categoria Frontale: il colore si confonde con quello di «Laterale».',
    'Avviso — Categoria Chiara: non è usata da nessun posto.',
    'Avviso — Categoria Strana: non è usata da nessun posto.',
  ]);
});

test('seats on each other and outside their section are told once per row', () => {
  expect(
    spoilt((drawing) => {
      const [first, second] = [rowsOf(drawing)[0]!.seats!, rowsOf(drawing)[1]!.seats!];
      second
        .slice(0, 3)
        .forEach((seat: Loose, index: number) =>
          Object.assign(seat, { x: first[index]!.x, y: first[index]!.y }),
        );
      second[11]!.y = ((first[11]!.y as unknown as number) + 9) as never;
      rowsOf(drawing, 1)[0]!.seats![7]!.y = -100 as never;
    }),
  ).toEqual([
    'Errore — Settore Fronte, fila B: i posti «1», «2» e «3» stanno nello stesso punto di altri (settore Fronte, fila A).',
    'Avviso — Settore Lato sinistro, fila A: un posto fuori dal contorno del settore: «8».',
    'Avviso — Settore Fronte, fila B: il posto «12» si sovrappone ad altri (settore Fronte, fila A).',
  ]);
});

test('coordinates that are no numbers, rows without seats and lists that are none are told', () => {
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[0]!.seats![0]!.x = '12' as never;
      rowsOf(drawing)[1]!.seats = [] as never;
      rowsOf(drawing)[2]!.seats = 5 as never;
      drawing.subChart!.tables = 'molti' as never;
    }),
  ).toEqual([
    'Errore — Pianta: «tables» dovrebbe essere un elenco.',
    'Errore — Settore Fronte, fila A: le coordinate non sono numeri: «1».',
    'Errore — Settore Fronte, fila C: «seats» dovrebbe essere un elenco.',
    'Avviso — Settore Fronte, fila B: non ha posti.',
    'Avviso — Settore Fronte, fila C: non ha posti.',
  ]);
});

test('a section needs an outline, a corner to measure from, and a zone that exists', () => {
  expect(
    spoilt((drawing) => {
      const [first, second] = drawing.subChart!.sections! as unknown as Record<string, unknown>[];
      Object.assign(first!, { points: [{ x: 1, y: 2 }], zone: 'nord' });
      Object.assign(second!, { topLeft: null });
    }),
  ).toEqual([
    'Errore — Settore Fronte: il contorno ha meno di tre punti.',
    'Errore — Settore Fronte: la zona «nord» non è nell’elenco delle zone.',
    'Errore — Settore Lato sinistro: manca «topLeft», da cui si misurano i posti del settore.',
  ]);
});

test('an area needs a shape and a capacity, and a table its centre', () => {
  expect(
    spoilt((drawing) => {
      Object.assign(drawing.subChart!.generalAdmissionAreas![0]!, { capacity: 0, points: [] });
      Object.assign(drawing.subChart!.tables![4]!, { center: null });
    }, drawSalaDelleFeste),
  ).toEqual([
    'Errore — Tavolo T1: il centro del tavolo manca.',
    'Errore — Area Pista: la capienza dev’essere un numero intero maggiore di zero.',
    'Errore — Area Pista: non ha una forma: servono almeno tre punti, o un centro con due raggi o con larghezza e altezza.',
  ]);
  expect(
    spoilt((drawing) => {
      Object.assign(drawing.subChart!.generalAdmissionAreas![0]!, {
        points: undefined,
        radius1: 40,
        radius2: 30,
        variableOccupancy: true,
        bookAsAWhole: true,
        minOccupancy: 200,
      });
    }, drawSalaDelleFeste),
  ).toEqual(['Errore — Area Pista: l’occupazione minima (200) supera la capienza (110).']);
});

test('what was forgotten is a warning: focal point, zones, an empty floor; and the drawing stays usable', () => {
  const findings = spoilt((drawing) => {
    const { subChart } = drawing;
    delete (drawing as Record<string, unknown>).subChart;
    Object.assign(drawing, {
      venueType: 'WITH_ZONES',
      subChartFloors: [
        { ...subChart, focalPoint: null, floorName: 'Terra' },
        { floorName: 'Sopra', focalPoint: { x: 1, y: 1 } },
      ],
    });
  });
  expect(findings).toEqual([
    'Avviso — Zone: la pianta dice di avere zone, ma non ce n’è nessuna.',
    'Avviso — Piano Terra: manca il punto focale: non si possono proporre i posti migliori.',
    'Avviso — Piano Sopra: il piano è vuoto.',
  ]);
});

test('keys that nobody knows are told once for each kind of object', () => {
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[0]!.seats!.forEach((seat) => {
        seat.poltrona = 'rossa' as never;
      });
      drawing.autore = 'io' as never;
    }),
  ).toEqual([
    'Avviso — Pianta: la chiave «autore» non la conosciamo e non la usiamo (una volta).',
    'Avviso — Posti: la chiave «poltrona» non la conosciamo e non la usiamo (12 volte).',
  ]);
  expect(
    spoilt((drawing) => {
      rowsOf(drawing)[0]!.seats!.forEach((seat) =>
        Object.assign(seat, { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }),
      );
      rowsOf(drawing)[0]!.displayObjectType = 'row' as never;
      rowsOf(drawing)[0]!.seats![0]!.published = true as never;
    }),
  ).toEqual([
    'Avviso — Posti: queste chiavi non le conosciamo e non le usiamo: «a», «b», «c», «d» e altre 2.',
  ]);
});

test('numbered sections that do not ascend in the file are told, because the list reads in that order', () => {
  expect(
    spoilt((drawing) => {
      const [first, , third] = drawing.subChart!.sections! as unknown as Record<string, unknown>[];
      first!.label = 'Settore 12';
      third!.label = 'Settore 9';
    }),
  ).toEqual([
    'Avviso — Pianta: nell’elenco il settore «Settore 12» viene prima di «Settore 9»: l’ordine del file è quello in cui si leggono.',
  ]);
});

test('a file that is no JSON says where it breaks', () => {
  const said = (text: string) => checkText(text).findings.map(printFinding);
  expect(said('')).toEqual(['Errore — Pianta: il file non è JSON: è vuoto.']);
  expect(said('{"name": "Prova", "subChart": {')).toEqual([
    'Errore — Pianta: il file non è JSON: finisce troppo presto.',
  ]);
  expect(said('{\n"name": "Prova"\n"version": 1}')).toEqual([
    'Errore — Pianta: il file non è JSON: si rompe alla riga 3.',
  ]);
  expect(
    said(
      '{\n"name": "Una prova piuttosto lunga",\n"rows": [1, 2, ],\n"altro": "ancora altro testo"}',
    ),
  ).toEqual([expect.stringMatching(/si rompe alla riga 3, vicino a «.*2, \],.*»\.$/)]);
  expect(checkText(`\uFEFF${printDense(drawSalaNera())}`).findings).toEqual([]);
});

test('an empty value is no drawing, and an empty drawing sells nothing', () => {
  for (const value of [null, 3, 'x', [], true])
    expect(checkDrawing(value).map(printFinding)).toEqual([
      'Errore — Pianta: non è una pianta: ci si aspetta un oggetto.',
    ]);
  expect(
    checkDrawing({
      name: 'Vuota',
      categories: { list: [{ key: 1, label: 'Una', color: '#4f8ef7' }] },
      subChart: {},
    }).map(printFinding),
  ).toContain('Errore — Pianta: non c’è niente da vendere.');
});

test('whatever stands anywhere in a drawing, the check answers; what it lets pass has numbers for coordinates', () => {
  const paths: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]) => {
    if (path.length > 0) paths.push(path);
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        if (paths.length < 6000) walk(inner, [...path, key]);
  };
  const whole = printDense(drawSalaDelleFeste());
  walk(JSON.parse(whole), []);
  assert(
    property(
      constantFrom(...paths),
      oneof(
        jsonValue(),
        constantFrom<unknown>('__proto__', { toString: 1 }, Number.MAX_VALUE, '\u0000', '\uD800'),
      ),
      (path, value) => {
        const drawing = JSON.parse(whole) as Record<string | number, unknown>;
        let at = drawing;
        for (const key of path.slice(0, -1)) at = at[key] as typeof drawing;
        at[path.at(-1)!] = value;
        const findings = checkDrawing(drawing);
        for (const finding of findings)
          expect(printFinding(finding)).toMatch(/^(?:Errore|Avviso) — \S[^]*: \S[^]*\.$/);
        const [key, list] = [path.at(-1), path.at(-3)];
        if ((key === 'x' || key === 'y') && list === 'seats' && typeof value !== 'number')
          expect(isUsable(findings)).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});
