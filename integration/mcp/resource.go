package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// GraphURI is the URI of the resource with the whole knowledge graph.
const GraphURI = "memory://knowledge-graph"

// addGraphResource offers the graph as a resource.
func (s *Server) addGraphResource() {
	s.server.AddResource(&mcp.Resource{
		URI: GraphURI, Name: "knowledge-graph", Title: "Knowledge Graph", MIMEType: "application/json",
		Description: "The full knowledge graph with all entities and relations",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		out, err := s.tools["read_graph"].run(s.o.callFrom(req.Session), ctx, json.RawMessage("{}"))
		if err != nil {
			return nil, errors.New(told(err))
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: out.text}}}, nil
	})
}
