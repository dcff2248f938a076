/** Reports unknown keys of a drawing, which stay in it but are not used. */
import { quote } from './findings.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import type { Report } from './findings.ts';

const words = (text: string) => new Set(text.split(' '));
const NAMES =
  'uuid label displayLabel displayObjectType objectType objectLabeling published labelSize labelShown labelColor labelRotationAngle labelHorizontalOffset labelVerticalOffset';
const BASE = `${NAMES} categoryKey categoryLabel categoryAccessible entrance viewFromYourSeatImage zone`;
const PLACE = `${BASE} center rotationAngle radius radius1 radius2 width height type points cornerRadius translucent foreground`;

/** Keys seen in published drawings of several years; keys that begin with `x_` are ours. */
const KNOWN = {
  drawing: words(
    'name version venueType categories zones subChart subChartFloors showAllButtons sectionScaleFactor tablesLabelCounter uuidCounter rowSpacing rowChairSpacing colorScheme referenceChartVisible',
  ),
  category: words('key label color accessible'),
  zone: words('key label focalPoint'),
  floor: words(
    'width height focalPoint rows tables booths generalAdmissionAreas sections shapes texts icons imageObjects backgroundImage referenceChart snapOffset floorName floorDisplayName',
  ),
  section: words(`${BASE} points topLeft cutoffAngle subChart`),
  row: words(
    `${BASE} curve chairSpacing rotationAngle points smooth smoothness seatLabeling rowLabelPosition rowLabelDisabled verticalRowLabelDirection sectionLabel sectionDisplayedLabel seats`,
  ),
  seat: words(
    `${BASE} x y accessible companionSeat restrictedView liftUpArmrests hearingImpaired semiAmbulatorySeat signLanguageInterpretation plusSize isAccessible isCompanionSeat hasRestrictedView hasLiftUpArmrests isHearingImpaired isSemiAmbulatorySeat hasSignLanguageInterpretation isPlusSize disabledBySocialDistancingRules`,
  ),
  table: words(
    `${PLACE} autoRadius openSpaces bookAsAWhole variableOccupancy minOccupancy seats seatLabeling`,
  ),
  area: words(`${PLACE} capacity bookAsAWhole variableOccupancy minOccupancy`),
  booth: words(PLACE),
} as const;

type Kind = keyof typeof KNOWN;

const CALLED: Record<Kind, string> = {
  drawing: 'Pianta',
  category: 'Categorie',
  zone: 'Zone',
  floor: 'Piani e settori',
  section: 'Settori',
  row: 'File di posti',
  seat: 'Posti',
  table: 'Tavoli',
  area: 'Aree',
  booth: 'Séparé',
};

export interface Keys {
  see: (kind: Kind, raw: Raw) => void;
  tell: (report: Report) => void;
}

/**
 * Counts unknown keys during the walk through the drawing, and reports each once per kind of
 * object.
 */
export function watchKeys(): Keys {
  const strange = new Map<Kind, Map<string, number>>();
  return {
    see(kind, raw) {
      for (const key in raw) {
        if (KNOWN[kind].has(key) || key.startsWith('x_')) continue;
        const keys = strange.get(kind) ?? new Map<string, number>();
        strange.set(kind, keys.set(key, (keys.get(key) ?? 0) + 1));
      }
    },
    tell(report) {
      for (const [kind, keys] of strange) {
        const [[name, times] = ['', 0]] = keys;
        if (keys.size === 1)
          report.warn(
            CALLED[kind],
            `la chiave ${quote([name])} non la conosciamo e non la usiamo (${times === 1 ? 'una volta' : `${times} volte`})`,
          );
        else
          report.warn(
            CALLED[kind],
            `queste chiavi non le conosciamo e non le usiamo: ${quote([...keys.keys()], 'altre')}`,
          );
      }
    },
  };
}
