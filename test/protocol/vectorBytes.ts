// The bytes that a `utf8` entry of the golden vectors stands for; long ones are described instead of spelled out.

/** UTF-8 bytes of a vector's text, where `'x' repeated N times` is expanded. */
export function vectorBytes(utf8: string): Uint8Array {
  const repeated = /^'(.)' repeated (\d+) times$/.exec(utf8);
  return new TextEncoder().encode(repeated ? repeated[1]!.repeat(Number(repeated[2])) : utf8);
}
