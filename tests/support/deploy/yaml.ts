/** Reads the plain YAML of our own deployment files (maps, lists, text, anchors): enough to see that a file means what it should, and strict about the rest. */

type Value = string | Value[] | { [key: string]: Value };

interface Line {
  indent: number;
  text: string;
  number: number;
}

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((whole, at) => {
    if (whole.includes('\t')) throw new Error(`line ${at + 1}: a tab`);
    const bare = whole.trim();
    if (bare === '' || bare.startsWith('#')) return [];
    return [{ indent: whole.length - whole.trimStart().length, text: bare, number: at + 1 }];
  });
}

function scalar(text: string): Value {
  if (text.startsWith('[')) return JSON.parse(text.replaceAll("'", '"')) as Value;
  if (text.startsWith("'")) return text.slice(1, -1);
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

export function readYaml(text: string): Value {
  const lines = linesOf(text);
  const anchors = new Map<string, Value>();
  let at = 0;

  function readBlock(indent: number): Value {
    return lines[at]!.text.startsWith('- ') ? readList(indent) : readMap(indent);
  }

  function readList(indent: number): Value[] {
    const list: Value[] = [];
    while (at < lines.length && lines[at]!.indent === indent && lines[at]!.text.startsWith('- ')) {
      const line = lines[at]!;
      const rest = line.text.slice(2);
      if (/^[\w-]+:( |$)/.test(rest)) {
        // A map that begins on the dash's own line.
        lines[at] = { ...line, indent: indent + 2, text: rest };
        list.push(readMap(indent + 2));
      } else {
        at += 1;
        list.push(scalar(rest));
      }
    }
    return list;
  }

  function readMap(indent: number): Value {
    const map: { [key: string]: Value } = {};
    // What is merged in comes first: a key of the map's own stands over it.
    const own = new Set<string>();
    while (at < lines.length && lines[at]!.indent === indent) {
      const { text: line, number } = lines[at]!;
      const [, key = '', anchor, alias, value] =
        /^([\w.-]+|<<):(?: &(\w+))?(?: \*(\w+))?(?: ([^&*].*))?$/.exec(line) ?? [];
      if (key === '' || own.has(key)) throw new Error(`line ${number}: ${line}`);
      own.add(key);
      at += 1;
      if (key === '<<') Object.assign(map, anchors.get(alias!)!);
      else if (alias !== undefined) map[key] = anchors.get(alias)!;
      else if (value !== undefined) map[key] = scalar(value);
      else map[key] = (lines[at]?.indent ?? 0) > indent ? readBlock(lines[at]!.indent) : '';
      if (anchor !== undefined) anchors.set(anchor, map[key]);
    }
    if (at < lines.length && lines[at]!.indent > indent)
      throw new Error(`line ${lines[at]!.number}: indented too far`);
    return map;
  }

  const value = readBlock(0);
  if (at < lines.length) throw new Error(`line ${lines[at]!.number}: ${lines[at]!.text}`);
  return value;
}
