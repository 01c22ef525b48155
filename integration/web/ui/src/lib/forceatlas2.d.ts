// Parts of graphology-layout-forceatlas2 that have no types.
declare module 'graphology-layout-forceatlas2/iterate' {
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): void
}
declare module 'graphology-layout-forceatlas2/helpers' {
  import type Graph from 'graphology'
  const helpers: {
    graphToByteArrays(graph: Graph, weight: () => number): { nodes: Float32Array; edges: Float32Array }
    assignLayoutChanges(graph: Graph, nodes: Float32Array, reducer: null): void
  }
  export default helpers
}
declare module 'graphology-layout-forceatlas2/defaults' {
  const defaults: object
  export default defaults
}
