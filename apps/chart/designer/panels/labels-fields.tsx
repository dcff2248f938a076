/** The fields of the labels dialog: the sequence of labels, and the order of labelling. */
import { Check, NumberField, Select, TextField } from '#apps/chart/designer/kit/controls.tsx';
import type { Scheme } from '#server/drawing/label/scheme.ts';
import { withKind, type Ask } from './labels-ask.ts';

interface Fields {
  ask: Ask;
  onChange: (ask: Ask) => void;
}

const KINDS = [
  { value: 'numbers', text: '1, 2, 3' },
  { value: 'letters', text: 'A, B, C … AA, AB' },
  { value: 'doubled', text: 'A, B, C … AA, BB' },
  { value: 'roman', text: 'I, II, III' },
];

export function SchemeFields({ ask, onChange }: Fields) {
  const { scheme } = ask;
  const set = (part: Partial<Scheme>) => onChange({ ...ask, scheme: { ...scheme, ...part } });
  const isLetters = scheme.kind === 'letters' || scheme.kind === 'doubled';
  return (
    <div className="bsd-labels-form">
      <Select
        label="Numerazione"
        value={scheme.kind}
        options={KINDS}
        onChange={(kind) => onChange({ ...ask, scheme: withKind(scheme, kind as Scheme['kind']) })}
      />
      <TextField label="Comincia da" value={scheme.start} onCommit={(start) => set({ start })} />
      <NumberField
        label="Passo"
        value={scheme.step}
        min={-100}
        max={100}
        whole
        onCommit={(step) => set({ step })}
      />
      <TextField
        label="Da saltare"
        value={scheme.skip.join(', ')}
        hint={isLetters ? 'Per esempio I, O' : 'Per esempio 13, 17'}
        onCommit={(text) => set({ skip: text.split(/[\s,;]+/).filter((one) => one !== '') })}
      />
      <TextField label="Prima" value={scheme.prefix} onCommit={(prefix) => set({ prefix })} />
      <TextField label="Dopo" value={scheme.suffix} onCommit={(suffix) => set({ suffix })} />
      {scheme.kind === 'numbers' && (
        <NumberField
          label="Cifre"
          value={scheme.digits}
          min={1}
          max={6}
          whole
          hint="Con 2: 01, 02"
          onCommit={(digits) => set({ digits })}
        />
      )}
      {scheme.kind !== 'numbers' && (
        <Check
          label="Minuscole"
          checked={scheme.lowercase}
          onChange={(lowercase) => set({ lowercase })}
        />
      )}
    </div>
  );
}

const COURSES = [
  { value: 'left', text: 'Da sinistra' },
  { value: 'right', text: 'Da destra' },
  { value: 'centre', text: 'Dal centro: dispari e pari' },
  { value: 'first', text: 'Come è disegnata la fila' },
  { value: 'last', text: 'Al contrario di come è disegnata' },
];
const AISLES = [
  { value: 'continue', text: 'Continua' },
  { value: 'restart', text: 'Ricomincia' },
  { value: 'skip', text: 'Salta un’etichetta' },
];
const SIDES = [
  { value: 'left', text: 'A sinistra' },
  { value: 'right', text: 'A destra' },
];

export function SeatFields({ ask, onChange }: Fields) {
  return (
    <div className="bsd-labels-form">
      <Select
        label="Verso"
        value={ask.course}
        options={COURSES}
        onChange={(course) =>
          onChange({
            ...ask,
            course: course as Ask['course'],
            runsOn: ask.runsOn && course !== 'centre',
          })
        }
      />
      {ask.course === 'centre' ? (
        <Select
          label="I dispari"
          value={ask.oddSide}
          options={SIDES}
          onChange={(side) => onChange({ ...ask, oddSide: side as Ask['oddSide'] })}
        />
      ) : (
        <Select
          label="Al corridoio"
          value={ask.aisle}
          options={AISLES}
          onChange={(aisle) => onChange({ ...ask, aisle: aisle as Ask['aisle'] })}
        />
      )}
      <Check
        label="Le file con lo stesso nome contano come una"
        checked={ask.across}
        onChange={(across) => onChange({ ...ask, across })}
      />
      {ask.course !== 'centre' && (
        <Check
          label="Continua da una fila all’altra"
          checked={ask.runsOn}
          onChange={(runsOn) => onChange({ ...ask, runsOn })}
        />
      )}
    </div>
  );
}

const ORDERS = [
  { value: 'front', text: 'Dal punto focale in là' },
  { value: 'back', text: 'Verso il punto focale' },
  { value: 'left', text: 'Da sinistra a destra' },
  { value: 'right', text: 'Da destra a sinistra' },
  { value: 'top', text: 'Dall’alto in basso' },
  { value: 'bottom', text: 'Dal basso in alto' },
  { value: 'list', text: 'Nell’ordine in cui sono nella pianta' },
];

export function ObjectFields({ ask, onChange }: Fields) {
  return (
    <div className="bsd-labels-form">
      <Select
        label="Ordine"
        value={ask.order}
        options={ORDERS}
        onChange={(order) => onChange({ ...ask, order: order as Ask['order'] })}
      />
      {ask.what !== 'section' && (
        <Check
          label="Ricomincia in ogni settore"
          checked={ask.perSection}
          onChange={(perSection) => onChange({ ...ask, perSection })}
        />
      )}
    </div>
  );
}
